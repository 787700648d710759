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
        var rows = PostgresBatches.Lists(update.kinds)
        for row in update.rows { rows.append(row) }
        try run(rows.steps(update.text(dialect)))
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
