package import LarderData
package import LarderDomain

/// The recorded schema of a database: the table `larder_schema`, with a row for each declared member, in the order of
/// declaration at the last change; and the table `larder_history`, with a row for each change.
package struct SQLSchemaRecord<Session: SQLMigrationSession> {
    private let session: Session

    package init(_ session: Session) { self.session = session }

    /// The record; without items for a database without tables.
    package func read() throws(PersistencyError) -> SchemaRecord {
        guard try session.has("larder_schema") else { return SchemaRecord(items: [], history: []) }
        var record = SchemaRecord(items: [], history: [])
        try session.inSnapshot { begin, commit throws(PersistencyError) in
            try session.run(begin)
            record = SchemaRecord(items: try rows("larder_schema", SchemaItem.fields, item), history: try history())
            try session.run(commit)
        }
        return record
    }

    /// Empty for a database of an earlier format.
    package func history() throws(PersistencyError) -> [SchemaHistoryEntry] {
        guard try session.has("larder_history") else { return [] }
        return try rows("larder_history", SchemaHistoryEntry.fields) { SchemaHistoryEntry($0) }
    }

    /// Replaces the record.
    package func write(_ record: SchemaRecord) throws(PersistencyError) {
        let items = record.items.map { item in
            Array(item.values.dropLast()) + [item.defaultValue.map { session.dialect.recorded($0) } ?? .null]
        }
        try write("larder_schema", SchemaItem.fields, items)
        try write("larder_history", SchemaHistoryEntry.fields, record.history.map(\.values))
    }

    private func write(
        _ table: String, _ fields: [(name: String, type: ColumnType?)], _ rows: [[Value]]
    ) throws(PersistencyError) {
        let dialect = session.dialect
        // An earlier format has other columns. Where other roles have rights on an existing table, it stays.
        if dialect.rebuildsTables { try session.perform("DROP TABLE IF EXISTS \(table)") }
        if try session.has(table) {
            try session.perform("DELETE FROM \(table)")
        } else {
            let columns = fields.map { field in
                SQLText.quoted(field.name) + " " + (field.type.map { dialect.type(SQLKind($0)) } ?? dialect.anyType)
            }
            try session.perform(
                "CREATE TABLE \(table) (position \(dialect.type(.integer)) PRIMARY KEY, "
                    + "\(columns.joined(separator: ", ")))"
                    + (dialect.rebuildsTables ? dialect.options(isClustered: false) : ""))
        }
        let kinds = [.integer] + fields.map { SQLKind($0.type ?? .blob) }
        let places = kinds.enumerated().map { dialect.placeholder($0 + 1, $1) }.joined(separator: ", ")
        for (position, row) in rows.enumerated() {
            try session.rows("INSERT INTO \(table) VALUES (\(places))", [.integer(Int64(position))] + row, [])
        }
    }

    private func item(_ row: [Value]) -> SchemaItem? {
        let type: ColumnType? = if case .text(let name) = row[4] { ColumnType(rawValue: name) } else { nil }
        return session.dialect.value(ofRecorded: row[row.count - 1], type).flatMap { value in
            SchemaItem(Array(row.dropLast()) + [value])
        }
    }

    private func rows<Row>(
        _ table: String, _ fields: [(name: String, type: ColumnType?)], _ make: ([Value]) -> Row?
    ) throws(PersistencyError) -> [Row] {
        let text = "SELECT \(SQLText.quoted(fields.map(\.name))) FROM \(table) ORDER BY position"
        var rows: [Row] = []
        for values in try session.rows(text, [], fields.map { $0.type ?? .blob }) {
            guard let row = make(values) else {
                throw .incompatible(
                    "the table \(table) has a row that is unknown here: use a newer version of the program")
            }
            rows.append(row)
        }
        return rows
    }
}
