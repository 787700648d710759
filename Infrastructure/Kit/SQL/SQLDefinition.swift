internal import LarderData
internal import LarderDomain

enum SQLDefinition {
    /// Makes the tables of a schema: each thing that is there already is left as it is.
    static func tables(_ table: SQLTable) -> [String] {
        [objects(table)] + table.links.map(links)
    }

    static func index(_ index: SQLIndex, hasBlobs: Bool) -> String {
        // A table in the order of its key has the key in each index; elsewhere the order by id wants it named.
        let columns = SQLText.quoted(index.columns + (hasBlobs ? ["id"] : []))
        return "CREATE INDEX IF NOT EXISTS \(SQLText.quoted(index.name)) ON \(SQLText.quoted(index.table)) (\(columns))"
    }

    /// Adds a column to a table that has rows. A derived one that is never null begins with something, and is then filled.
    static func add(_ column: Column, to table: SQLTable) -> String {
        let isFilled = column.isDerived && !column.isNullable && column.defaultValue == nil
        let filling = isFilled ? " DEFAULT " + SQLText.constant(column.type.someValue) : ""
        return "ALTER TABLE \(SQLText.quoted(table.name)) ADD COLUMN " + definition(of: column) + filling
    }

    private static func objects(_ table: SQLTable) -> String {
        let integer = SQLText.type(.integer)
        let place =
            table.owner.map { [reference($0, to: $0), "\(SQLText.quoted("position")) \(integer) NOT NULL"] }
            ?? ["\(SQLText.quoted("version")) \(integer) NOT NULL"]
        let key = "\(SQLText.quoted("id")) \(SQLText.type(.id)) NOT NULL PRIMARY KEY"
        return create(
            table.name, [key] + place + table.schema.columns.map(definition), hasBlobs: table.schema.hasBlobs)
    }

    private static func links(_ link: SQLLinkTable) -> String {
        let position = "\(SQLText.quoted("position")) \(SQLText.type(.integer)) NOT NULL"
        let key = "PRIMARY KEY (\(SQLText.quoted([link.owner, "position"])))"
        let target = reference(link.targetColumn, to: link.target)
        return create(link.name, [reference(link.owner, to: link.owner), position, target, key], hasBlobs: false)
    }

    private static func create(_ name: String, _ parts: [String], hasBlobs: Bool) -> String {
        "CREATE TABLE IF NOT EXISTS \(SQLText.quoted(name)) (\n    " + parts.joined(separator: ",\n    ") + "\n)"
            // The key is the table, one search instead of two; rows with blobs would make that tree deep.
            + (hasBlobs ? " STRICT" : " STRICT, WITHOUT ROWID")
    }

    private static func definition(of column: Column) -> String {
        SQLText.quoted(column.name) + " " + SQLText.type(column.type) + (column.isNullable ? "" : " NOT NULL")
            + (column.reference.map { " " + references($0.target) } ?? "")
            // Also for a previous version of the program, which does not know the column.
            + (column.defaultValue.map { " DEFAULT " + SQLText.constant($0) } ?? "")
    }

    private static func reference(_ column: String, to target: String) -> String {
        "\(SQLText.quoted(column)) \(SQLText.type(.id)) NOT NULL \(references(target))"
    }

    /// Keys are judged when the transaction commits, and delete nothing: what goes with what, Data has computed.
    private static func references(_ target: String) -> String {
        "REFERENCES \(SQLText.quoted(target)) (\(SQLText.quoted("id"))) DEFERRABLE INITIALLY DEFERRED"
    }
}

extension ColumnType {
    /// A value of the type, whichever.
    fileprivate var someValue: Value {
        switch self {
        case .integer, .boolean, .timestamp: .integer(0)
        case .real: .real(0)
        case .text, .day: .text("")
        case .blob: .blob([])
        case .id: .id(RawID(high: 0, low: 0))
        }
    }
}
