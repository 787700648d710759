internal import LarderData

/// The fixed statements of one table. Values are bound in the order in which the comments name them.
final class SQLTablePlan: Sendable {
    let table: SQLTable
    let children: [SQLTablePlan]
    let links: [SQLLinkPlan]
    /// The columns in the order in which ``insert`` and every read have them.
    let selection: String
    /// One object. (id)
    let readOne: SQLStatementText
    /// Objects by their ids. (packed ids)
    let readMany: SQLStatementText
    /// Each owner's place in the list, then its objects, for owned ones. (packed ids of owners)
    let readOwned: SQLStatementText
    /// The same for one owner, in the order of their positions. (id of the owner)
    let readOwnedByOne: SQLStatementText
    /// (id)
    let version: SQLStatementText
    /// (id, then the version 1, or owner and position; then the columns)
    let insert: SQLStatementText
    /// Raises the version of a root. (id, version)
    let touch: SQLStatementText
    /// Moves an owned object. (id, position)
    let move: SQLStatementText
    /// A root at a version. (id, version)
    let deleteRoot: SQLStatementText
    /// An owned object. (id)
    let deleteOne: SQLStatementText
    /// All that an object owns, the deepest first, and its links. (id)
    let deleteOwned: [SQLStatementText]
    /// Another root with the same values, for each unique group. (id)
    let duplicates: [SQLStatementText]

    let schema: EntitySchema
    /// Whether an aggregate may have large rows.
    let hasBlobs: Bool
    var withDescendants: [SQLTablePlan] { [self] + children.flatMap(\.withDescendants) }

    init(_ table: SQLTable, dialect: any SQLDialect, _ numbering: inout SQLNumbering) {
        let name = dialect.quoted(table.name)
        let id = dialect.quoted("id")
        let (first, second) = (dialect.placeholder(1), dialect.placeholder(2))
        let version = dialect.quoted("version")
        self.table = table
        schema = table.schema
        hasBlobs = table.withDescendants.contains(where: \.schema.hasBlobs)
        children = table.children.map { SQLTablePlan($0, dialect: dialect, &numbering) }
        links = table.links.map { SQLLinkPlan($0, dialect: dialect, &numbering) }
        let selection = table.columns.map { "t0." + dialect.quoted($0) }.joined(separator: ", ")
        self.selection = selection
        readOne = numbering.statement("SELECT \(selection) FROM \(name) AS t0 WHERE t0.\(id) = \(first)")
        func joined(_ columns: String, on column: String) -> String {
            SQLPackedJoin(dialect).statement(columns, from: table.name, on: column)
        }
        readMany = numbering.statement(joined(selection, on: "id"))
        readOwned = numbering.statement(
            joined("\(SQLPackedJoin(dialect).number), \(selection)", on: table.owner ?? "id"))
        let owner = dialect.quoted(table.owner ?? "id")
        readOwnedByOne = numbering.statement(
            "SELECT 0, \(selection) FROM \(name) AS t0 WHERE t0.\(owner) = \(first)"
                + (table.owner == nil ? "" : " ORDER BY t0.\(dialect.quoted("position"))"))
        self.version = numbering.statement("SELECT \(version) FROM \(name) WHERE \(id) = \(first)")
        insert = numbering.statement(
            "INSERT INTO \(name) (\(dialect.quoted(table.columns))) VALUES "
                + "(\(dialect.placeholders(1...table.columns.count)))")
        let expected = "WHERE \(id) = \(first) AND \(version) = \(second)"
        touch = numbering.statement("UPDATE \(name) SET \(version) = \(version) + 1 \(expected)")
        move = numbering.statement(
            "UPDATE \(name) SET \(dialect.quoted("position")) = \(second) WHERE \(id) = \(first)")
        deleteRoot = numbering.statement("DELETE FROM \(name) \(expected)")
        deleteOne = numbering.statement("DELETE FROM \(name) WHERE \(id) = \(first)")
        deleteOwned = SQLOwnedDeletion(dialect).statements(for: table).map { numbering.statement($0) }
        duplicates = table.schema.uniques.map { group in
            let same = group.map { column in
                let column = dialect.quoted(table.schema.columns[column].name)
                return "other.\(column) = this.\(column)"
            }
            return numbering.statement(
                "SELECT other.\(id) FROM \(name) AS this JOIN \(name) AS other ON \(same.joined(separator: " AND ")) "
                    + "AND other.\(id) <> this.\(id) WHERE this.\(id) = \(first)")
        }
    }
}

/// The fixed statements of one list of links.
final class SQLLinkPlan: Sendable {
    let table: SQLLinkTable
    /// Each holder's place in the list, then position and target. (packed ids of holders)
    let read: SQLStatementText
    /// The same for one holder, in the order of positions. (id of the holder)
    let readOne: SQLStatementText
    /// (owner, position, target)
    let put: SQLStatementText
    /// Everything from a position on. (owner, position)
    let truncate: SQLStatementText

    init(_ table: SQLLinkTable, dialect: any SQLDialect, _ numbering: inout SQLNumbering) {
        self.table = table
        let name = dialect.quoted(table.name)
        let (owner, position) = (dialect.quoted(table.owner), dialect.quoted("position"))
        let target = dialect.quoted(table.targetColumn)
        let (first, second) = (dialect.placeholder(1), dialect.placeholder(2))
        let join = SQLPackedJoin(dialect)
        read = numbering.statement(
            join.statement("\(join.number), t0.\(position), t0.\(target)", from: table.name, on: table.owner))
        readOne = numbering.statement(
            "SELECT 0, t0.\(position), t0.\(target) FROM \(name) AS t0 WHERE t0.\(owner) = \(first) "
                + "ORDER BY t0.\(position)")
        put = numbering.statement(
            "INSERT INTO \(name) (\(dialect.quoted(table.columns))) VALUES (\(dialect.placeholders(1...3))) "
                + "ON CONFLICT (\(owner), \(position)) DO UPDATE SET \(target) = excluded.\(target)")
        truncate = numbering.statement("DELETE FROM \(name) WHERE \(owner) = \(first) AND \(position) >= \(second)")
    }
}
