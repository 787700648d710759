internal import LarderData
internal import LarderDomain

/// The recorded schema of a database, also in an earlier format.
struct SQLiteSchemaRecord {
    let connection: SQLiteConnection

    private var record: SQLSchemaRecord<SQLiteConnection> { SQLSchemaRecord(connection) }

    /// Whether the record has the current format.
    func isCurrent() throws(PersistencyError) -> Bool {
        guard try connection.integer("PRAGMA user_version") == SQLiteOpening.format else { return false }
        return try connection.has("larder_history")
    }

    /// The record; without items for a database without tables.
    func read() throws(PersistencyError) -> SchemaRecord {
        guard try connection.integer("PRAGMA user_version") < 2, try connection.has("larder_schema") else {
            return try record.read()
        }
        return SchemaRecord(items: try firstItems(), history: try record.history())
    }

    /// Replaces the record, also one of an earlier format.
    func write(_ record: SchemaRecord) throws(PersistencyError) {
        try self.record.write(record)
        try connection.execute("PRAGMA user_version = \(SQLiteOpening.format)")
    }

    /// The items of format 1, which declared each member by a text.
    private func firstItems() throws(PersistencyError) -> [SchemaItem] {
        try connection.rows("SELECT entity, kind, name, declaration FROM larder_schema") {
            row throws(PersistencyError) in
            let (entity, kind, name) = (row.text(0), row.text(1), row.text(2))
            guard var item = SchemaItem(entity: entity, kind: kind, name: name, text: row.text(3)) else {
                throw .incompatible("the database has \(kind) \(name), which is unknown here")
            }
            // The table knows the default that the text lacks.
            if let type = item.type { item.defaultValue = try defaultValue(of: name, in: entity, type) }
            return item
        }
    }

    private func defaultValue(
        of column: String, in table: String, _ type: ColumnType
    ) throws(PersistencyError) -> Value? {
        let columns = try connection.rows("PRAGMA table_info(\(SQLText.quoted(table)))") { ($0.text(1), $0.text(4)) }
        guard let text = columns.last(where: { $0.0 == column })?.1, !text.isEmpty else { return nil }
        return try connection.rows("SELECT \(text)", [], [type]).first?[0]
    }
}
