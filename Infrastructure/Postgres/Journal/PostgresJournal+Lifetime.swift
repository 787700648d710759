#if Postgres
internal import LarderData
internal import LarderDomain

extension PostgresJournal {
    /// Begins a new lifetime, in the running transaction: tokens from before, and stores that were opened before, are
    /// refused. The retained commits keep their positions.
    static func renew(on connection: PostgresConnection) throws(PersistencyError) {
        let found = try connection.run(
            """
            SELECT quote_ident(conname) FROM pg_catalog.pg_constraint JOIN pg_catalog.pg_class c ON c.oid = conrelid
            WHERE contype = 'c' AND relname = '\(table)' AND relnamespace = \(PostgresConnection.schemaID) AND conkey =
                ARRAY(SELECT attnum FROM pg_catalog.pg_attribute WHERE attrelid = conrelid AND attname = 'lifetime')
            """)
        let names = found.map { $0.text(0) }
        let lifetime = "'\(Int64.random(in: .min ... .max))'::bigint"
        // One statement changes the default, all rows, and the constraint.
        let changes =
            names.map { "DROP CONSTRAINT \($0)" } + [
                "ALTER COLUMN lifetime TYPE bigint USING \(lifetime)", "ALTER COLUMN lifetime SET DEFAULT \(lifetime)",
                "ADD CONSTRAINT \(names.first ?? "\(table)_lifetime_check") CHECK (lifetime = \(lifetime))",
            ]
        try connection.execute("ALTER TABLE \(table) \(changes.joined(separator: ", "))")
    }

    /// Empties the table, and begins a new lifetime, in the running transaction.
    static func restart(on connection: PostgresConnection) throws(PersistencyError) {
        try connection.execute("TRUNCATE \(table) RESTART IDENTITY")
        try renew(on: connection)
        try begin(on: connection)
    }
}
#endif
