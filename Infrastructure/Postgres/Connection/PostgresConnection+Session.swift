#if Postgres
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresConnection {
    /// The milliseconds between two round trips of a transaction that may hold up others: none of them waits for anything
    /// but the process. Migrations, restores and backups have no limit.
    private static let maximumIdleness: Int64 = 5_000

    /// Sets the parameters of the session that the statements of a store need.
    ///
    /// A search path and stricter time limits of the role, the database, or the connection string remain.
    func prepareSession(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        // PostgreSQL takes 0 as no limit.
        let lock = max(1, configuration.busyTimeout.milliseconds)
        let statement = max(1, configuration.statementTimeout.milliseconds)
        let path = configuration.schema.map { "SET search_path TO \(SQLText.quoted($0));" } ?? ""
        try execute(
            """
            \(path)
            SET default_transaction_isolation TO 'repeatable read';
            SET bytea_output TO 'hex';
            SELECT pg_catalog.set_config(
                name, CASE WHEN setting::bigint BETWEEN 1 AND most THEN setting ELSE most::text END, false)
            FROM pg_catalog.pg_settings JOIN (VALUES ('lock_timeout', \(lock)), ('statement_timeout', \(statement)),
                ('idle_in_transaction_session_timeout', \(min(statement, Self.maximumIdleness)))) AS limits (name, most) USING (name)
            """)
    }
}
#endif
