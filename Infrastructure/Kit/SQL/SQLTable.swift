package import LarderData

/// The tables of one schema: one for its objects, one for each list of links.
///
/// Examples are `recipe`, `step` with its columns `recipe` and `position`, and `recipe_tags`.
package final class SQLTable: Sendable {
    package let schema: EntitySchema
    /// The table of the owner, and the column with its id; `nil` for a root.
    package let owner: String?
    package let children: [SQLTable]
    package let links: [SQLLinkTable]
    /// The columns of a read.
    package let selection: String
    /// The columns of a read of versions only.
    package let versionSelection: String

    package init(_ schema: EntitySchema, owner: String? = nil) {
        self.schema = schema
        self.owner = owner
        children = schema.children.map { SQLTable($0.schema, owner: schema.name) }
        links = schema.links.map { SQLLinkTable($0, of: schema) }
        func selection(_ columns: [String]) -> String {
            columns.map { "t0." + SQLText.quoted($0) }.joined(separator: ", ")
        }
        let key = Self.keyColumns(owner)
        versionSelection = selection(key)
        self.selection = selection(key + schema.columns.map(\.name))
    }

    package var name: String { schema.name }

    /// The columns before those of the schema: the id, then the version, or the owner and the position in its list.
    package var keyColumns: [String] { Self.keyColumns(owner) }

    private static func keyColumns(_ owner: String?) -> [String] {
        ["id"] + (owner.map { [$0, "position"] } ?? ["version"])
    }

    package var columns: [String] { keyColumns + schema.columns.map(\.name) }

    /// The name of the index of words, if the table has the words of a search.
    package var wordIndex: String? { schema.isDerived ? name + "_index" : nil }

    /// The table and those of all owned objects.
    package var withDescendants: [SQLTable] { [self] + children.flatMap(\.withDescendants) }

    /// The indexes of all searched columns; a reference is searched when its target is deleted.
    ///
    /// The index of a unique group is not unique: two rows may swap their values within a commit.
    package var indexes: [SQLIndex] {
        var found: [SQLIndex] = []
        func add(_ kind: String, _ columns: [String]) {
            guard !found.contains(where: { $0.columns == columns }) else { return }
            let name = ([name, kind] + (kind == "owner" ? [] : columns)).joined(separator: "_")
            found.append(SQLIndex(name: name, table: self.name, columns: columns))
        }
        func names(_ group: [Int]) -> [String] { group.map { schema.columns[$0].name } }
        if let owner { add("owner", [owner, "position"]) }
        for group in schema.uniques { add("unique", names(group)) }
        for column in schema.columns where column.reference != nil { add("reference", [column.name]) }
        for group in schema.indexes { add("index", names(group)) }
        if let wordIndex { found.append(SQLIndex(name: wordIndex, table: name, columns: names([0]))) }
        return found + links.map { SQLIndex(name: $0.name + "_target", table: $0.name, columns: [$0.targetColumn]) }
    }
}

package struct SQLLinkTable: Sendable {
    package let name: String
    /// The table of the owner, and the column with its id.
    package let owner: String
    package let target: String
    /// The column with the target's id: the target's name, with a prefix if the owner has the same name.
    package let targetColumn: String

    init(_ link: LinkRelationship, of schema: EntitySchema) {
        name = schema.name + "_" + link.name
        owner = schema.name
        target = link.target
        targetColumn = link.target == schema.name ? "linked_" + link.target : link.target
    }

    package var columns: [String] { [owner, "position", targetColumn] }
}

package struct SQLIndex: Sendable {
    package let name: String
    package let table: String
    package let columns: [String]
}
