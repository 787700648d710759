internal import LarderData
internal import LarderDomain

/// The statements that make tables and indexes.
struct SQLDefinition {
    let dialect: any SQLDialect

    /// Makes the tables of a schema: each thing that is there already is left as it is.
    func tables(_ table: SQLTable) -> [String] {
        [objects(table)] + table.links.map(links)
    }

    func index(_ index: SQLIndex, hasBlobs: Bool) -> String {
        // A table in the order of its key has the key in each index; elsewhere the order by id wants it named.
        let columns = dialect.quoted(index.columns + (hasBlobs ? ["id"] : []))
        return "CREATE INDEX IF NOT EXISTS \(dialect.quoted(index.name)) ON \(dialect.quoted(index.table)) (\(columns))"
    }

    /// Adds a column to a table that has rows. A derived one that is never null begins with something, and is then filled.
    func add(_ column: Column, to table: SQLTable) -> String {
        let isFilled = column.isDerived && !column.isNullable
        let constant =
            (column.defaultValue ?? (isFilled ? column.type.someValue : nil)).map { " DEFAULT " + dialect.constant($0) }
            ?? ""
        return "ALTER TABLE \(dialect.quoted(table.name)) ADD COLUMN " + definition(of: column) + constant
    }

    private func objects(_ table: SQLTable) -> String {
        let integer = dialect.type(.integer)
        let place =
            table.owner.map { [reference($0, to: $0), "\(dialect.quoted("position")) \(integer) NOT NULL"] }
            ?? ["\(dialect.quoted("version")) \(integer) NOT NULL"]
        let key = "\(dialect.quoted("id")) \(dialect.type(.id)) NOT NULL PRIMARY KEY"
        return create(
            table.name, [key] + place + table.schema.columns.map(definition), hasBlobs: table.schema.hasBlobs)
    }

    private func links(_ link: SQLLinkTable) -> String {
        let position = "\(dialect.quoted("position")) \(dialect.type(.integer)) NOT NULL"
        let key = "PRIMARY KEY (\(dialect.quoted([link.owner, "position"])))"
        let target = reference(link.targetColumn, to: link.target)
        return create(link.name, [reference(link.owner, to: link.owner), position, target, key], hasBlobs: false)
    }

    private func create(_ name: String, _ parts: [String], hasBlobs: Bool) -> String {
        "CREATE TABLE IF NOT EXISTS \(dialect.quoted(name)) (\n    " + parts.joined(separator: ",\n    ") + "\n)"
            + dialect.tableOptions(hasBlobs: hasBlobs)
    }

    private func definition(of column: Column) -> String {
        dialect.quoted(column.name) + " " + dialect.type(column.type) + (column.isNullable ? "" : " NOT NULL")
            + (column.reference.map { " " + references($0.target) } ?? "")
    }

    private func reference(_ column: String, to target: String) -> String {
        "\(dialect.quoted(column)) \(dialect.type(.id)) NOT NULL \(references(target))"
    }

    /// Keys are judged when the transaction commits, and delete nothing: what goes with what, Data has computed.
    private func references(_ target: String) -> String {
        "REFERENCES \(dialect.quoted(target)) (\(dialect.quoted("id"))) DEFERRABLE INITIALLY DEFERRED"
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
