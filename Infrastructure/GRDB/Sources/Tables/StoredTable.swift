internal import GRDB
internal import LarderData

/// The tables of one schema, with the names that `SQLiteStore` uses, and their fixed statements.
///
/// Examples are `book`, `chapter` with its columns `book` and `position`, and `book_genres`.
final class StoredTable: Sendable {
    let schema: EntitySchema
    /// The table of the owner, and the column with its id; `nil` for a root.
    let owner: String?
    let children: [StoredTable]
    let links: [LinkTable]
    /// The columns before those of the schema.
    let keys: [String]
    /// The columns of the table, for `SELECT`.
    let selection: String
    /// Inserts a row, unless its id exists. (keys, columns)
    let insert: String

    init(_ schema: EntitySchema, owner: String? = nil) {
        (self.schema, self.owner) = (schema, owner)
        children = schema.children.map { StoredTable($0.schema, owner: schema.name) }
        links = schema.links.map { LinkTable($0, of: schema) }
        keys = owner.map { ["id", $0, "position"] } ?? ["id", "version"]
        let columns = keys + schema.columns.map(\.name)
        selection = columns.map { "t0." + $0.quotedDatabaseIdentifier }.joined(separator: ", ")
        let marks =
            keys.map { _ in "?" } + schema.columns.map(\.mark)
        insert =
            "INSERT INTO \(schema.name.quotedDatabaseIdentifier) "
            + "(\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", "))) "
            + "VALUES (\(marks.joined(separator: ", "))) ON CONFLICT (id) DO NOTHING"
    }

    var name: String { schema.name }
    var quotedName: String { name.quotedDatabaseIdentifier }

    /// The table and those of all owned objects.
    var withDescendants: [StoredTable] { [self] + children.flatMap(\.withDescendants) }

    /// The indexes of all searched columns, by name. Indexes of unique groups are not unique, because two rows may swap
    /// their values within a commit.
    var indexes: [(name: String, columns: [String])] {
        var found: [(name: String, columns: [String])] = []
        func add(_ kind: String, _ columns: [String]) {
            if found.contains(where: { $0.columns == columns }) { return }
            found.append((([name, kind] + (kind == "owner" ? [] : columns)).joined(separator: "_"), columns))
        }
        func names(_ group: [Int]) -> [String] { group.map { schema.columns[$0].name } }
        if let owner { add("owner", [owner, "position"]) }
        for group in schema.uniques { add("unique", names(group)) }
        for column in schema.columns where column.reference != nil { add("reference", [column.name]) }
        for group in schema.indexes { add("index", names(group)) }
        return found
    }
}

/// The table of one list of links.
struct LinkTable: Sendable {
    let name: String
    /// The table of the owner, and the column with its id.
    let owner: String
    let target: String
    /// The column with the target's id: the target's name, with a prefix if the owner has the same name.
    let targetColumn: String

    init(_ link: LinkRelationship, of schema: EntitySchema) {
        (name, owner, target) = (schema.name + "_" + link.name, schema.name, link.target)
        targetColumn = link.target == schema.name ? "linked_" + link.target : link.target
    }

    var columns: [String] { [owner, "position", targetColumn] }
    var quotedName: String { name.quotedDatabaseIdentifier }
    var quotedOwner: String { owner.quotedDatabaseIdentifier }
    var quotedTarget: String { targetColumn.quotedDatabaseIdentifier }
}
