#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// A migration waits long for other migrations and backups, which delays no statement. It waits for a table only briefly,
/// because all statements on the table queue behind it, and then tries again.
extension PostgresMigration {
    /// How long a migration waits in all.
    static let patience: Duration = .seconds(600)
    /// How long it waits for a table in one attempt, in milliseconds.
    private static let tableWait = 200

    /// Runs a body while no other process changes the tables of the PostgreSQL schema, or backs them up. Statements have no
    /// time limit meanwhile.
    func alone(_ body: () throws(PersistencyError) -> Void) throws(PersistencyError) {
        try connection.waiting(upTo: nil) { () throws(PersistencyError) in
            let usual = try connection.execute(
                "SELECT string_agg(format('SET %s TO %L', name, setting), ';') FROM pg_catalog.pg_settings WHERE name "
                    + "IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')")
            guard usual.advance() else { return }
            defer { _ = try? connection.execute(usual.text(0)) }
            try connection.execute(
                "SET lock_timeout TO \(Self.tableWait); SET statement_timeout TO 0; "
                    + "SET idle_in_transaction_session_timeout TO 0")
            try PostgresSchemaLock.exclusive.take(on: connection, upTo: Self.patience)
            defer { PostgresSchemaLock.exclusive.release(on: connection) }
            try body()
        }
    }

    /// Runs a body in a transaction with locks on tables. If it waits for a table for too long, it begins again, after a
    /// pause that doubles.
    func transaction(
        locking locks: [String: PostgresImpact.Lock], _ body: () throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let end = ContinuousClock.now.advanced(by: Self.patience)
        // All in one order.
        let statements = locks.sorted { $0.key < $1.key }.map { table, lock in
            "LOCK TABLE \(SQLText.quoted(table)) IN \(lock.mode) MODE"
        }
        var pause = 0.1
        while true {
            do throws(PersistencyError) {
                // Each statement sees what other processes have committed.
                try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                try connection.execute("SET LOCAL lock_timeout TO \(Self.tableWait)")
                for statement in statements { try connection.execute(statement) }
                try body()
                try connection.execute("COMMIT")
                return
            } catch {
                _ = try? connection.execute("ROLLBACK")
                guard error.postgresError?.state == "55P03", ContinuousClock.now < end else { throw error }
            }
            options.progress?(MigrationProgress(work: "wait for a table that is in use"))
            try connection.execute("SELECT pg_sleep(\(pause))")
            pause = min(pause * 2, 5)
        }
    }
}

/// The lock of migrations, restores and backups in one PostgreSQL schema, which belongs to the session.
enum PostgresSchemaLock: String {
    case exclusive = ""
    case shared = "_shared"

    private static let key = "hashtextextended('larder ' || current_schema(), 0)"

    /// Asks repeatedly. A statement that waits would have a snapshot, for whose end the build of an index waits.
    ///
    /// - Throws: `unavailable` (`busy`) after the limit.
    func take(on connection: PostgresConnection, upTo limit: Duration) throws(PersistencyError) {
        let end = ContinuousClock.now.advanced(by: limit)
        while true {
            let answer = try connection.execute("SELECT pg_try_advisory_lock\(rawValue)(\(Self.key))::int::text")
            if answer.advance(), answer.text(0) == "1" { return }
            guard ContinuousClock.now < end else {
                throw .unavailable(
                    Unavailable(.busy, "another process has migrated, restored, or backed up the store for \(limit)"))
            }
            try connection.execute("SELECT pg_sleep(0.02)")
        }
    }

    func release(on connection: PostgresConnection) {
        _ = try? connection.execute("SELECT pg_advisory_unlock\(rawValue)(\(Self.key))")
    }
}
#endif
