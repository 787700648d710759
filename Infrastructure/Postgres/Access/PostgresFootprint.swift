#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The store's tables with their indexes, and all names that start with `larder_`, as a transaction of a
/// ``PostgresDatabase`` sees them.
///
/// The server decides what a statement changes, and not its text: a transaction that has changed a table has a lock on
/// it until its end, whether by a statement, a function, a trigger, a rule or a cascade. A change of rights takes no
/// lock, but replaces rows of the catalog, as do changes of names. Those of other transactions are not in the snapshot.
struct PostgresFootprint {
    private let names: [String]
    /// The PostgreSQL schema of the store.
    private let schema: String
    /// The name, the transactions that have written the catalog's rows, and whether there is a lock for changes.
    private let relations: Set<[String]>

    /// - Parameter preparation: Statements that precede.
    init(
        _ connection: PostgresConnection, _ names: [String], after preparation: String = ""
    ) throws(PersistencyError) {
        let list = names.map { "\(Value.text($0))" }.joined(separator: ", ")
        let rows = try connection.answer(
            """
            \(preparation)
            WITH held AS MATERIALIZED (SELECT relation FROM pg_catalog.pg_locks WHERE locktype = 'relation'
                AND pid = pg_catalog.pg_backend_pid() AND mode NOT IN ('AccessShareLock', 'RowShareLock'))
            SELECT c.relname::text, current_schema()::text, pg_catalog.concat_ws(' ', c.oid, c.xmin, n.xmin,
                c.oid IN (SELECT relation FROM held), (SELECT pg_catalog.string_agg(a.xmin::text, ' ' ORDER BY attnum)
                    FROM pg_catalog.pg_attribute AS a WHERE attrelid = c.oid))
            FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND nspname = current_schema()
            LEFT JOIN pg_catalog.pg_index ON indexrelid = c.oid
            JOIN pg_catalog.pg_class AS t ON t.oid = coalesce(indrelid, c.oid)
            WHERE t.relname IN (\(list)) OR pg_catalog.starts_with(t.relname::text, 'larder_')
                OR pg_catalog.starts_with(c.relname::text, 'larder_')
            """
        ).map { row in (0..<3).map(row.text) }
        (self.names, schema) = (names, rows.first?[1] ?? "")
        relations = Set(rows.map { [$0[0], $0[2]] })
    }

    /// Runs deferred triggers, and then compares, as the last reading before `COMMIT`.
    ///
    /// - Parameter id: Its lock tells others that the outcome is not known yet.
    /// - Throws: `unsupportedQuery` if the transaction has changed anything of the store.
    func check(_ connection: PostgresConnection, locking id: CommitID) throws(PersistencyError) {
        // The role of the store, and names that no object of the body replaces.
        let after = try PostgresFootprint(
            connection, names,
            after: """
                SET CONSTRAINTS ALL IMMEDIATE; RESET SESSION AUTHORIZATION; RESET ROLE;
                SET LOCAL search_path TO \(SQLText.quoted(schema)), pg_temp;
                SELECT pg_catalog.pg_advisory_xact_lock('\(id.lockKey)'::bigint);
                """)
        let (changed, new) = (relations.subtracting(after.relations), after.relations.subtracting(relations))
        guard let name = (changed.isEmpty ? new : changed).map({ $0[0] }).min() else { return }
        throw .unsupportedQuery("\(name) belongs to the store, which changes only by its commits")
    }
}
#endif
