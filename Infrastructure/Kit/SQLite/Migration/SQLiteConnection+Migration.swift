internal import LarderData
internal import LarderDomain

extension SQLiteConnection: SQLMigrationSession {
    func perform(_ text: String) throws(PersistencyError) { try execute(text) }

    func rows(_ text: String, _ values: [Value], _ types: [ColumnType]) throws(PersistencyError) -> [[Value]] {
        let statement = try statement(text)
        defer { statement.finish() }
        try statement.bind(values, from: 1)
        var rows: [[Value]] = []
        while try statement.step() {
            rows.append(types.enumerated().map { statement.value(Int32(truncatingIfNeeded: $0), $1) })
        }
        return rows
    }

    func update(_ update: SQLRowUpdate) throws(PersistencyError) {
        if update.rows.isEmpty { return }
        let (table, names) = (SQLText.quoted(update.table), update.columns.map { SQLText.quoted($0.name) })
        let values = names.indices.map { "?\($0 + 2)" }
        let text =
            if let keys = update.copied?.map(SQLText.quoted) {
                "INSERT INTO \(SQLText.quoted(SQLText.rebuilt)) (\((keys + names).joined(separator: ", "))) "
                    + "SELECT \((keys + values).joined(separator: ", ")) FROM \(table)"
            } else {
                "UPDATE \(table) SET \(zip(names, values).map { "\($0) = \($1)" }.joined(separator: ", "))"
            }
        let statement = try statement("\(text) WHERE \(SQLText.quoted("id")) = ?1")
        for row in update.rows {
            try statement.bind(row, from: 1)
            try statement.run()
        }
    }

    func has(_ table: String) throws(PersistencyError) -> Bool {
        try integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") > 0
    }
}
