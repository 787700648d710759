internal import LarderData
internal import LarderDomain

/// The recorded schema of a database: the table `larder_schema`, with a row for each declared member, in the order of
/// declaration at the last change; and the table `larder_history`, with a row for each change.
struct SQLiteSchemaRecord {
    let connection: SQLiteConnection

    /// Whether the record has the current format.
    func isCurrent() throws(PersistencyError) -> Bool {
        guard try connection.integer("PRAGMA user_version") == SQLiteOpening.format else { return false }
        return try has("larder_history")
    }

    /// The record; without items for a database without tables.
    func read() throws(PersistencyError) -> SchemaRecord {
        SchemaRecord(items: try items(), history: try history())
    }

    /// Replaces the record, also one of an earlier format.
    func write(_ record: SchemaRecord) throws(PersistencyError) {
        let items = SchemaItem.fields.map { ($0.name, $0.type.map(SQLText.type) ?? SQLiteLibrary.anyType) }
        try write("larder_schema", items, record.items.map(\.values))
        let entries = SchemaHistoryEntry.fields.map { ($0.name, SQLText.type($0.type)) }
        try write("larder_history", entries, record.history.map(\.values))
        try connection.execute("PRAGMA user_version = \(SQLiteOpening.format)")
    }

    private func write(
        _ table: String, _ columns: [(name: String, type: String)], _ rows: [[Value]]
    ) throws(PersistencyError) {
        let definitions = columns.map { SQLText.quoted($0.name) + " " + $0.type }.joined(separator: ", ")
        try connection.execute("DROP TABLE IF EXISTS \(table)")
        try connection.execute(
            "CREATE TABLE \(table) (position INTEGER PRIMARY KEY, \(definitions))\(SQLiteLibrary.options(["STRICT"]))")
        for (position, row) in rows.enumerated() {
            let statement = try connection.statement(
                "INSERT INTO \(table) VALUES (\(SQLText.placeholders(1...columns.count + 1)))")
            try statement.bind([.integer(Int64(position))] + row, from: 1)
            try statement.run()
        }
    }

    private func has(_ table: String) throws(PersistencyError) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") > 0
    }

    private func items() throws(PersistencyError) -> [SchemaItem] {
        guard try has("larder_schema") else { return [] }
        // Format 1 declared each member by a text.
        let isText = try connection.integer("PRAGMA user_version") < 2
        let names = SQLText.quoted(SchemaItem.fields.map(\.name))
        let statement = try connection.statement(
            isText
                ? "SELECT entity, kind, name, declaration FROM larder_schema"
                : "SELECT \(names) FROM larder_schema ORDER BY position")
        defer { statement.finish() }
        var items: [SchemaItem] = []
        while try statement.step() {
            guard let item = isText ? try itemOfText(statement) : item(statement) else {
                throw .incompatible("the database has \(statement.text(1)) \(statement.text(2)), which is unknown here")
            }
            items.append(item)
        }
        return items
    }

    private func itemOfText(_ row: SQLiteStatement) throws(PersistencyError) -> SchemaItem? {
        let item = SchemaItem(entity: row.text(0), kind: row.text(1), name: row.text(2), text: row.text(3))
        guard var item, item.kind == .column else { return item }
        // The table knows the default that the text lacks.
        item.defaultValue = try defaultValue(of: item.name, in: item.entity, item.type)
        return item
    }

    private func item(_ row: SQLiteStatement) -> SchemaItem? {
        let type = ColumnType(rawValue: row.text(4)) ?? .text
        return SchemaItem(SchemaItem.fields.enumerated().map { row.value(Int32($0), $1.type ?? type) })
    }

    private func defaultValue(
        of column: String, in table: String, _ type: ColumnType?
    ) throws(PersistencyError) -> Value? {
        let columns = try connection.uncached("PRAGMA table_info(\(SQLText.quoted(table)))")
        var text = ""
        while try columns.step() { if columns.text(1) == column { text = columns.text(4) } }
        guard let type, !text.isEmpty else { return nil }
        let constant = try connection.statement("SELECT \(text)")
        defer { constant.finish() }
        return try constant.step() ? constant.value(0, type) : nil
    }

    private func history() throws(PersistencyError) -> [SchemaHistoryEntry] {
        guard try has("larder_history") else { return [] }
        let names = SQLText.quoted(SchemaHistoryEntry.fields.map(\.name))
        let statement = try connection.statement("SELECT \(names) FROM larder_history ORDER BY position")
        defer { statement.finish() }
        var entries: [SchemaHistoryEntry] = []
        while try statement.step() {
            let values = SchemaHistoryEntry.fields.enumerated().map { statement.value(Int32($0), $1.type) }
            guard let entry = SchemaHistoryEntry(values) else {
                throw .incompatible("the history of the database's schema has an entry that is unknown here")
            }
            entries.append(entry)
        }
        return entries
    }
}
