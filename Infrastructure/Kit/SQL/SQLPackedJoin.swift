internal import LarderData

/// Joins a table with a list of ids that is bound as one value, so that any number of them costs one statement.
struct SQLPackedJoin {
    private let dialect: any SQLDialect
    private let unpacked: SQLUnpacked

    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
        unpacked = dialect.unpackedIDs(dialect.placeholder(1))
    }

    /// The place of a row's id in the list.
    var number: String { unpacked.number }

    func statement(_ columns: String, from table: String, on column: String) -> String {
        // The list comes first: each of its ids is one search by index.
        return unpacked.with + " SELECT " + columns + " FROM " + unpacked.source + " CROSS JOIN "
            + dialect.quoted(table)
            + " AS t0 WHERE t0." + dialect.quoted(column) + " = " + unpacked.value
    }
}

/// The statements that delete what an object owns at any depth, and every link of it all.
struct SQLOwnedDeletion {
    private let dialect: any SQLDialect

    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
    }

    func statements(for table: SQLTable) -> [String] {
        below(table, owners: "= " + dialect.placeholder(1))
    }

    /// - Parameter owners: Compares a column with the id of the object, or of the objects, that own.
    private func below(_ table: SQLTable, owners: String) -> [String] {
        let links = table.links.map { delete($0.name, $0.owner, owners) }
        return links
            + table.children.flatMap { child in
                let inner = "SELECT \(dialect.quoted("id")) FROM \(dialect.quoted(child.name)) "
                let ids = "IN (\(inner)WHERE \(dialect.quoted(table.name)) \(owners))"
                return below(child, owners: ids) + [delete(child.name, table.name, owners)]
            }
    }

    private func delete(_ table: String, _ column: String, _ owners: String) -> String {
        "DELETE FROM \(dialect.quoted(table)) WHERE \(dialect.quoted(column)) \(owners)"
    }
}
