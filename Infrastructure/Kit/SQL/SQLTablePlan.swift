package import LarderData

/// The fixed statements of one table. The comments list their bound values in parentheses: those in the plural are arrays
/// if the database has them, and those of one row otherwise.
package final class SQLTablePlan: Sendable {
    package let table: SQLTable
    package let dialect: any SQLDialect
    package let children: [SQLTablePlan]
    package let links: [SQLLinkPlan]
    /// Selects an object. (id)
    package let readOne: SQLStatementText
    /// Selects objects by their ids. (list of ids)
    package let readMany: SQLStatementText
    /// Selects owned objects, each after the index of its owner in the list. (list of ids of owners)
    package let readOwned: SQLStatementText
    /// The same for one owner. (id of the owner)
    package let readOwnedByOne: SQLStatementText
    /// Selects the ids and versions of roots. (ids)
    package let versions: SQLStatementText
    /// Inserts objects; with arrays, selects the ids of those whose ids did not exist. (values of columns)
    package let insert: SQLStatementText
    /// Increments the versions of roots. (ids; versions, without arrays)
    package let touch: SQLStatementText
    /// Moves owned objects. (ids, positions)
    package let move: SQLStatementText
    /// Deletes roots or owned objects. (ids)
    package let delete: SQLStatementText
    /// Deletes roots. (ids; versions, without arrays)
    package let deleteRoot: SQLStatementText
    /// Delete the owned objects of objects, the deepest first, and all links. (ids)
    package let deleteOwned: [SQLStatementText]
    /// Select other roots with the same values after each id, one statement for each unique group. (ids)
    package let duplicates: [SQLStatementText]

    /// The statements of the index of words; `nil` for other tables.
    package let wordIndex: SQLWordIndexPlan?

    package let schema: EntitySchema
    /// Whether a row of an aggregate may be large.
    package let mayBeLarge: Bool
    /// Whether owned objects have no lists.
    package let isShallow: Bool
    package var listCount: Int { children.count + links.count }
    package var withDescendants: [SQLTablePlan] { [self] + children.flatMap(\.withDescendants) }

    init(_ table: SQLTable, _ dialect: any SQLDialect, _ numbering: inout SQLNumbering) {
        (self.table, self.dialect, schema) = (table, dialect, table.schema)
        mayBeLarge = table.withDescendants.contains(where: \.schema.mayBeLarge)
        isShallow = table.children.allSatisfy(\.schema.isFlat)
        children = table.children.map { SQLTablePlan($0, dialect, &numbering) }
        links = table.links.map { SQLLinkPlan($0, dialect, &numbering) }
        let (name, selection) = (SQLText.quoted(table.name), table.selection)
        let (id, version, position) = ("\"id\"", "\"version\"", "\"position\"")
        let (owner, one) = (table.owner ?? "id", dialect.placeholder(1, .id))
        readOne = numbering.statement("SELECT \(selection) FROM \(name) AS t0 WHERE t0.\(id) = \(one)")
        readMany = numbering.statement(
            dialect.rows(selection, of: table.name, by: "id", isNumbered: false))
        readOwned = numbering.statement(
            dialect.rows(selection, of: table.name, by: owner, isNumbered: true))
        readOwnedByOne = numbering.statement(
            "SELECT 0, \(selection) FROM \(name) AS t0 WHERE t0.\(SQLText.quoted(owner)) = \(one)")
        versions = numbering.statement(
            "SELECT \(id), \(version) FROM \(name) WHERE \(id) \(dialect.keys) ORDER BY \(id)")
        insert = numbering.statement(
            dialect.insertion(into: table.name, table.columns, table.columnKinds, replacing: nil))
        let expected = dialect.writesSingleRows ? " AND \(version) = \(dialect.placeholder(2, .integer))" : ""
        touch = numbering.statement(
            "UPDATE \(name) SET \(version) = \(version) + 1 WHERE \(id) \(dialect.keys)\(expected)")
        let moved = dialect.given([.id, .integer])
        move = numbering.statement(
            "UPDATE \(name) SET \(position) = \(moved.values[1])\(moved.table.map { " FROM " + $0 } ?? "") "
                + "WHERE \(id) = \(moved.values[0])")
        deleteRoot = numbering.statement("DELETE FROM \(name) WHERE \(id) \(dialect.keys)\(expected)")
        delete = numbering.statement("DELETE FROM \(name) WHERE \(id) \(dialect.keys)")
        deleteOwned = table.deletionsOfOwned(by: dialect.keys).map { numbering.statement($0) }
        wordIndex = dialect.wordIndex(of: table).map { index in
            SQLWordIndexPlan(
                add: numbering.statement(index.add), remove: numbering.statement(index.remove),
                merge: numbering.statement(index.merge))
        }
        duplicates = table.schema.uniques.map { group in
            numbering.statement(
                "SELECT this.\(id), other.\(id) FROM \(name) AS this JOIN \(name) AS other "
                    + "ON \(table.areSame(group, dialect)) WHERE this.\(id) \(dialect.keys)")
        }
    }
}

/// The fixed statements of one list of links.
package final class SQLLinkPlan: Sendable {
    package let table: SQLLinkTable
    /// Selects the index of each owner in the list, position and target. (list of ids of owners)
    package let read: SQLStatementText
    /// The same for one owner. (id of the owner)
    package let readOne: SQLStatementText
    /// Inserts or replaces links. (owners, positions, targets)
    package let put: SQLStatementText
    /// Deletes all links from a position on. (owners, positions)
    package let truncate: SQLStatementText

    init(_ table: SQLLinkTable, _ dialect: any SQLDialect, _ numbering: inout SQLNumbering) {
        self.table = table
        let (name, owner) = (SQLText.quoted(table.name), SQLText.quoted(table.owner))
        let selection = "t0.\"position\", t0.\(SQLText.quoted(table.targetColumn))"
        read = numbering.statement(
            dialect.rows(selection, of: table.name, by: table.owner, isNumbered: true))
        readOne = numbering.statement(
            "SELECT 0, \(selection) FROM \(name) AS t0 WHERE t0.\(owner) = \(dialect.placeholder(1, .id))")
        put = numbering.statement(
            dialect.insertion(
                into: table.name, table.columns, [.id, .integer, .id], replacing: [table.owner, "position"]))
        let rest = dialect.given([.id, .integer])
        truncate = numbering.statement(
            "DELETE FROM \(name)\(rest.table.map { " USING " + $0 } ?? "") WHERE \(owner) = \(rest.values[0]) "
                + "AND \"position\" >= \(rest.values[1])")
    }
}

extension SQLTable {
    /// Whether `other` is another row than `this`, with the same values of a unique group.
    func areSame(_ group: [Int], _ dialect: any SQLDialect) -> String {
        let same = group.map { index in
            let (name, kind) = (SQLText.quoted(schema.columns[index].name), SQLKind(schema.columns[index].type))
            return dialect.areEqual("other." + name, "this." + name, kind)
        }
        return (same + ["other.\"id\" <> this.\"id\""]).joined(separator: " AND ")
    }

    /// The kinds of all columns.
    package var columnKinds: [SQLKind] {
        [.id] + (owner == nil ? [.integer] : [.id, .integer]) + schema.columns.map { SQLKind($0.type) }
    }

    /// The statements that delete the owned objects of an object, at any depth, and all links.
    ///
    /// - Parameter owners: The comparison of a column with the id of the owner or the ids of the owners.
    func deletionsOfOwned(by owners: String) -> [String] {
        func delete(_ table: String, _ column: String) -> String {
            "DELETE FROM \(SQLText.quoted(table)) WHERE \(SQLText.quoted(column)) \(owners)"
        }
        return links.map { delete($0.name, $0.owner) }
            + children.flatMap { child in
                let inner = "SELECT \(SQLText.quoted("id")) FROM \(SQLText.quoted(child.name)) "
                let ids = "IN (\(inner)WHERE \(SQLText.quoted(name)) \(owners))"
                return child.deletionsOfOwned(by: ids) + [delete(child.name, name)]
            }
    }
}
