#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresConnection: SQLMigrationSession {
    func perform(_ text: String) throws(PersistencyError) { try execute(text) }

    func rows(_ text: String, _ values: [Value], _ types: [ColumnType]) throws(PersistencyError) -> [[Value]] {
        try run(text, values).map { row in types.enumerated().map { row.value($0, $1) } }
    }

    func update(_ update: SQLRowUpdate) throws(PersistencyError) {
        var rows = PostgresBatches.Lists([.id] + update.columns.map { SQLKind($0.type) })
        for row in update.rows { rows.append(row) }
        let lists = rows.kinds.enumerated().map { dialect.array($0 + 1, $1) }
        let names = update.columns.indices.map { "v\($0)" }
        let assignments = zip(update.columns, names).map { "\(SQLText.quoted($0.name)) = new.\($1)" }
        let text =
            "UPDATE \(SQLText.quoted(update.table)) AS this SET \(assignments.joined(separator: ", ")) FROM "
            + "unnest(\(lists.joined(separator: ", "))) AS new (\((["id"] + names).joined(separator: ", "))) "
            + "WHERE this.\"id\" = new.id"
        try run(rows.steps(text))
    }

    /// Selects the PostgreSQL schema.
    static let schemaID = "(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())"

    /// Whether the PostgreSQL schema has a table.
    func has(_ table: String) throws(PersistencyError) -> Bool {
        try run(
            "SELECT 1 FROM pg_catalog.pg_class WHERE relname = $1::text AND relnamespace = \(Self.schemaID)",
            [.text(table)]
        ).advance()
    }

    /// Statements are prepared by their texts, which name all columns.
    func forgetStatements() {}
}
#endif
