internal import LarderData
internal import LarderDomain

extension SQLiteConnection: SQLMigrationSession {
    func perform(_ text: String) throws(PersistencyError) { try execute(text) }

    func rows(_ text: String, _ values: [Value], _ types: [ColumnType]) throws(PersistencyError) -> [[Value]] {
        try rows(text, values) { row in types.enumerated().map { row.value(Int32(truncatingIfNeeded: $0), $1) } }
    }

    func update(_ update: SQLRowUpdate) throws(PersistencyError) {
        if update.rows.isEmpty { return }
        let statement = try statement(update.text(dialect))
        for row in update.rows { try statement.run(row) }
    }

    func has(_ table: String) throws(PersistencyError) -> Bool {
        try integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") > 0
    }
}
