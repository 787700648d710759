internal import LarderDomain

/// The store's part of a database's schema. The authorizer does not learn the new name of a renamed table nor the target
/// of a foreign key, so both are checked before the commit.
struct SQLiteFootprint {
    /// The definitions of the store's tables, and of everything on them.
    private let definitions: Set<String>
    /// Tables outside the store with a foreign key to one of its tables.
    private let references: Set<String>

    init(_ connection: SQLiteConnection, _ names: Set<String>) throws(PersistencyError) {
        let objects = try connection.rows("SELECT name, tbl_name, type, coalesce(sql, '') FROM sqlite_master") { row in
            (0..<4).map(row.text)
        }
        definitions = Set(
            objects.filter { $0.prefix(2).contains(where: names.protects) }.map { $0.joined(separator: " ") })
        references = Set(
            try connection.foreignKeys().filter { names.protects($0.target) && !names.protects($0.table) }.map(\.table))
    }

    /// - Throws: `unsupportedQuery` if a statement has changed the store's part, or added a reference to it. Such a
    ///   reference would make commits fail, or change rows without the store's knowledge.
    func check(since before: SQLiteFootprint) throws(PersistencyError) {
        guard definitions == before.definitions else {
            throw .unsupportedQuery("names that start with larder_, and names of the store's tables, are reserved")
        }
        if let table = references.subtracting(before.references).min() {
            throw .unsupportedQuery(
                "\(table) has a foreign key to a table of the store; declare its column without one")
        }
    }
}
