package import LarderData
internal import LarderDomain

enum SQLDefinition {
    /// Statements that create the missing tables of a schema.
    static func tables(_ table: SQLTable) -> [String] {
        [objects(table)] + table.links.map { links($0) }
    }

    static func index(_ index: SQLIndex, hasBlobs: Bool) -> String {
        // An index of a `WITHOUT ROWID` table contains its key; any other must name the id to be ordered by it.
        let columns = SQLText.quoted(index.columns + (hasBlobs ? ["id"] : []))
        return "CREATE INDEX IF NOT EXISTS \(SQLText.quoted(index.name)) ON \(SQLText.quoted(index.table)) (\(columns))"
    }

    static func add(_ column: Column, to table: String) -> String {
        "ALTER TABLE \(SQLText.quoted(table)) ADD COLUMN " + definition(of: column)
    }

    /// - Parameter name: The name of the table, if it is not the schema's.
    static func objects(_ table: SQLTable, named name: String? = nil) -> String {
        let integer = SQLText.type(.integer)
        let place =
            table.owner.map { [reference($0, to: $0), "\(SQLText.quoted("position")) \(integer) NOT NULL"] }
            ?? ["\(SQLText.quoted("version")) \(integer) NOT NULL"]
        let id = "\(SQLText.quoted("id")) \(SQLText.type(.id)) NOT NULL"
        let (own, key) = table.derivedKey.map { ("", ["PRIMARY KEY (\(SQLText.quoted($0)))"]) } ?? (" PRIMARY KEY", [])
        return create(
            name ?? table.name, [id + own] + place + table.schema.columns.map(definition) + key,
            hasBlobs: table.schema.hasBlobs)
    }

    static func links(_ link: SQLLinkTable, named name: String? = nil) -> String {
        let position = "\(SQLText.quoted("position")) \(SQLText.type(.integer)) NOT NULL"
        let key = "PRIMARY KEY (\(SQLText.quoted([link.owner, "position"])))"
        let target = reference(link.targetColumn, to: link.target)
        return create(
            name ?? link.name, [reference(link.owner, to: link.owner), position, target, key], hasBlobs: false)
    }

    private static func create(_ name: String, _ parts: [String], hasBlobs: Bool) -> String {
        "CREATE TABLE IF NOT EXISTS \(SQLText.quoted(name)) (\n    " + parts.joined(separator: ",\n    ") + "\n)"
            // `WITHOUT ROWID` saves a second search; with blobs in its rows, the tree of the key would be deep.
            + SQLiteLibrary.options(hasBlobs ? ["STRICT"] : ["STRICT", "WITHOUT ROWID"])
    }

    private static func definition(of column: Column) -> String {
        SQLText.quoted(column.name) + " " + SQLText.type(column.type) + (column.isNullable ? "" : " NOT NULL")
            + (column.reference.map { " " + references($0.target) } ?? "")
            // Also used by an earlier version of the program, which does not know the column.
            + (column.defaultValue.map { " DEFAULT " + SQLText.constant($0) } ?? "")
    }

    private static func reference(_ column: String, to target: String) -> String {
        "\(SQLText.quoted(column)) \(SQLText.type(.id)) NOT NULL \(references(target))"
    }

    /// Foreign keys are checked at commit, and do not cascade: Data has computed the effects of deletes.
    private static func references(_ target: String) -> String {
        "REFERENCES \(SQLText.quoted(target)) (\(SQLText.quoted("id"))) DEFERRABLE INITIALLY DEFERRED"
    }
}

extension ColumnType {
    /// A value for a column that is filled later.
    package var someValue: Value {
        switch self {
        case .integer, .boolean, .timestamp: .integer(0)
        case .real: .real(0)
        case .text, .day: .text("")
        case .blob: .blob([])
        case .id: .id(RawID(high: 0, low: 0))
        }
    }
}
