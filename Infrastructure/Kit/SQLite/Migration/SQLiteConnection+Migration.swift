internal import LarderData
internal import LarderDomain

extension SQLiteConnection: SQLMigrationSession {
    func perform(_ text: String) throws(PersistencyError) { try execute(text) }

    func rows(_ text: String, _ values: [Value], _ types: [ColumnType]) throws(PersistencyError) -> [[Value]] {
        try rows(text, values) { row in types.enumerated().map { row.value(Int32(truncatingIfNeeded: $0), $1) } }
    }

    func update(_ update: SQLRowUpdate) throws(PersistencyError) {
        if update.rows.isEmpty { return }
        let (table, new, id) = (SQLText.quoted(update.table), SQLText.quoted(SQLText.rebuilt), SQLText.quoted("id"))
        let names = SQLText.quoted(update.columns.map(\.name))
        let values = SQLText.placeholders(2...update.columns.count + 1)
        let text =
            switch update.copied.map(SQLText.quoted) {
            case nil: "UPDATE \(table) SET (\(names)) = (\(values)) WHERE \(id) = ?1"
            case ""?: "INSERT INTO \(new) (\(id), \(names)) VALUES (?1, \(values))"
            case let keys?:
                "INSERT INTO \(new) (\(keys), \(names)) SELECT \(keys), \(values) FROM \(table) WHERE \(id) = ?1"
            }
        let statement = try statement(text)
        for row in update.rows { try statement.run(row) }
    }

    func has(_ table: String) throws(PersistencyError) -> Bool {
        try integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") > 0
    }
}
