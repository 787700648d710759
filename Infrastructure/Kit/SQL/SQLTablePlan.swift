internal import LarderData

/// The fixed statements of one table. The comments list their bound values in parentheses.
final class SQLTablePlan: Sendable {
    let table: SQLTable
    let children: [SQLTablePlan]
    let links: [SQLLinkPlan]
    /// Selects an object. (id)
    let readOne: SQLStatementText
    /// Selects objects by their ids. (packed ids)
    let readMany: SQLStatementText
    /// Selects owned objects, each after the index of its owner in the list. (packed ids of owners)
    let readOwned: SQLStatementText
    /// The same for one owner, ordered by position. (id of the owner)
    let readOwnedByOne: SQLStatementText
    /// Selects the version of a root. (id)
    let version: SQLStatementText
    /// Inserts an object. (id; version, or owner and position; columns)
    let insert: SQLStatementText
    /// Increments the version of a root. (id, version)
    let touch: SQLStatementText
    /// Moves an owned object. (id, position)
    let move: SQLStatementText
    /// Deletes a root at a version. (id, version)
    let deleteRoot: SQLStatementText
    /// Deletes an owned object. (id; owner, if its rows are derived)
    let deleteOne: SQLStatementText
    /// Delete the owned objects of an object, the deepest first, and all links. (id)
    let deleteOwned: [SQLStatementText]
    /// Select other roots with the same values, one statement for each unique group. (id)
    let duplicates: [SQLStatementText]

    let schema: EntitySchema
    /// Whether a row of an aggregate may be large.
    let mayBeLarge: Bool
    var listCount: Int { children.count + links.count }
    var withDescendants: [SQLTablePlan] { [self] + children.flatMap(\.withDescendants) }

    init(_ table: SQLTable, _ numbering: inout SQLNumbering) {
        let name = SQLText.quoted(table.name)
        let id = SQLText.quoted("id")
        let version = SQLText.quoted("version")
        self.table = table
        schema = table.schema
        mayBeLarge = table.withDescendants.contains(where: \.schema.mayBeLarge)
        children = table.children.map { SQLTablePlan($0, &numbering) }
        links = table.links.map { SQLLinkPlan($0, &numbering) }
        let selection = table.selection
        readOne = numbering.statement("SELECT \(selection) FROM \(name) AS t0 WHERE t0.\(id) = ?1")
        readMany = numbering.statement(SQLPackedIDs.join(selection, from: table.name, on: "id"))
        readOwned = numbering.statement(
            SQLPackedIDs.join("\(SQLPackedIDs.number), \(selection)", from: table.name, on: table.owner ?? "id"))
        let owner = SQLText.quoted(table.owner ?? "id")
        readOwnedByOne = numbering.statement(
            "SELECT 0, \(selection) FROM \(name) AS t0 WHERE t0.\(owner) = ?1"
                + (table.owner == nil ? "" : " ORDER BY t0.\(SQLText.quoted(table.derivedKey?[1] ?? "position"))"))
        self.version = numbering.statement("SELECT \(version) FROM \(name) WHERE \(id) = ?1")
        insert = numbering.statement(
            "INSERT \(schema.isDerived ? "OR REPLACE " : "")INTO \(name) (\(SQLText.quoted(table.columns))) VALUES "
                + "(\(SQLText.placeholders(1...table.columns.count)))")
        let expected = "WHERE \(id) = ?1 AND \(version) = ?2"
        touch = numbering.statement("UPDATE \(name) SET \(version) = \(version) + 1 \(expected)")
        move = numbering.statement(
            "UPDATE \(name) SET \(SQLText.quoted("position")) = ?2 WHERE \(id) = ?1")
        deleteRoot = numbering.statement("DELETE FROM \(name) \(expected)")
        deleteOne = numbering.statement("DELETE FROM \(name) WHERE \(id) = ?1\(table.andOwner)")
        deleteOwned = table.deletionsOfOwned(by: "= ?1").map { numbering.statement($0) }
        duplicates = table.schema.uniques.map { group in
            let same = group.map { column in
                let column = SQLText.quoted(table.schema.columns[column].name)
                return "other.\(column) = this.\(column)"
            }
            return numbering.statement(
                "SELECT other.\(id) FROM \(name) AS this JOIN \(name) AS other ON \(same.joined(separator: " AND ")) "
                    + "AND other.\(id) <> this.\(id) WHERE this.\(id) = ?1")
        }
    }
}

/// The fixed statements of one list of links.
final class SQLLinkPlan: Sendable {
    let table: SQLLinkTable
    /// Selects the index of each owner in the list, position and target. (packed ids of owners)
    let read: SQLStatementText
    /// The same for one owner, ordered by position. (id of the owner)
    let readOne: SQLStatementText
    /// Inserts or replaces a link. (owner, position, target)
    let put: SQLStatementText
    /// Deletes all links from a position on. (owner, position)
    let truncate: SQLStatementText

    init(_ table: SQLLinkTable, _ numbering: inout SQLNumbering) {
        self.table = table
        let name = SQLText.quoted(table.name)
        let (owner, position) = (SQLText.quoted(table.owner), SQLText.quoted("position"))
        let target = SQLText.quoted(table.targetColumn)
        read = numbering.statement(
            SQLPackedIDs.join(
                "\(SQLPackedIDs.number), t0.\(position), t0.\(target)", from: table.name, on: table.owner))
        readOne = numbering.statement(
            "SELECT 0, t0.\(position), t0.\(target) FROM \(name) AS t0 WHERE t0.\(owner) = ?1 "
                + "ORDER BY t0.\(position)")
        put = numbering.statement(
            "INSERT OR REPLACE INTO \(name) (\(SQLText.quoted(table.columns))) VALUES (\(SQLText.placeholders(1...3)))")
        truncate = numbering.statement("DELETE FROM \(name) WHERE \(owner) = ?1 AND \(position) >= ?2")
    }
}

extension SQLTable {
    /// The statements that delete the owned objects of an object, at any depth, and all links.
    ///
    /// - Parameter owners: The comparison of a column with the id of the owner or the ids of the owners.
    package func deletionsOfOwned(by owners: String) -> [String] {
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
