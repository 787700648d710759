#if Postgres
internal import CLarderPostgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresConnection {
    /// Runs a body in a transaction that only reads. The error of the body is part of the result.
    func read<Value: Sendable>(
        _ body: (PostgresDatabase) throws -> Value
    ) throws(PersistencyError) -> Result<Value, any Error> {
        try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let result = Result { try body(PostgresDatabase(connection: self, writes: false)) }
        endInterruption()
        // The rollback restores the settings, but does not release the locks of the session.
        let end = "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all(); SELECT \(Self.marking)"
        if (try? execute(end)) == nil { giveUp() }
        return result
    }

    /// Runs a body in a transaction that writes. The error of the body is part of the result, so that no part of it is
    /// repeated on another connection.
    ///
    /// - Parameter names: The tables of the store.
    /// - Returns: The result of the body, the id of the transaction, and why its outcome is not known; `nil` if it is
    ///   stored.
    func write<Value: Sendable>(
        _ body: (PostgresDatabase) throws -> Value, protecting names: [String], _ lifetime: UInt64
    ) throws(PersistencyError) -> Result<(Value, CommitID, Unavailable?), any Error> {
        try execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        let before = try PostgresFootprint(self, names)
        // The settings, roles, locks, prepared statements and temporary tables of the body end with the connection.
        defer {
            endInterruption()
            if !isBroken, isInTransaction { _ = try? execute("ROLLBACK") }
            giveUp()
        }
        return Result {
            let result = try body(PostgresDatabase(connection: self, writes: true))
            // The body may have caught the error of a statement, after which the server would only roll back.
            try checkTransaction()
            let id = CommitID()
            try before.check(self, locking: id)
            // A cancellation does not interrupt `COMMIT`, whose wait for a synchronous replica it would cut short.
            endInterruption()
            if Task.isCancelled { throw PersistencyError.cancelled }
            return (result, id, try commit(id, lifetime))
        }
    }

    /// Records the transaction in the journal, as a position without a commit, and commits it.
    ///
    /// What runs during `COMMIT`, such as a trigger that a trigger has deferred again, or the query of a cursor, only
    /// reads. The message contains no names of prepared statements, which the body may have replaced.
    ///
    /// - Returns: Why the outcome is not known; `nil` if the transaction is stored.
    private func commit(_ id: CommitID, _ lifetime: UInt64) throws(PersistencyError) -> Unavailable? {
        let before = warnings
        do throws(PersistencyError) {
            let end = try answer(
                """
                INSERT INTO \(PostgresJournal.table) (commit_id, committed_at, size, lifetime)
                VALUES ('\(id.rawValue)', \(Timestamp.now().microseconds), 0, '\(Int64(bitPattern: lifetime))');
                SET TRANSACTION READ ONLY; COMMIT
                """)
            guard end.command == "COMMIT" else { throw .contention("the transaction was rolled back") }
        } catch {
            guard let cause = error.postgresError else { throw error }
            if cause.isDisconnection { return cause.unavailable }
            throw cause.refusalOfJournal ?? error
        }
        return warnings == before ? nil : Unavailable(.failed, PostgresCommit.isNotReplicated)
    }

    /// - Throws: If the transaction has ended, or can only be rolled back.
    func checkTransaction() throws(PersistencyError) {
        if unsafe !isBroken && PQtransactionStatus(handle) != PQTRANS_INTRANS { throw .transactionEnded }
    }

    /// Runs statements without values, as ``answer(_:writes:)``.
    func answer(_ text: String) throws(PersistencyError) -> PostgresResult {
        activity.note(1)
        return try unsafe answer(PQsendQuery(handle, text), writes: true)
    }

    /// The result of the last request, with errors for authors of SQL: a fault in a statement is `unsupportedQuery`.
    ///
    /// - Parameter writes: Whether the transaction writes.
    func answer(_ isSent: Int32, writes: Bool) throws(PersistencyError) -> PostgresResult {
        do throws(PostgresError) { return try unsafe checked(lastResult(isSent)) } catch {
            switch error.state {
            case "57014" where Task.isCancelled: throw .cancelled
            case "25006" where !writes: throw .unsupportedQuery(PostgresRules.isRead)
            case "23P01", "42501": throw .unavailable(error.unavailable)
            case "0A000", "25001", "2D000": throw .unsupportedQuery(error.description)
            case let state where state.hasPrefix("42"): throw .unsupportedQuery(error.description)
            default: throw error.persistencyError
            }
        }
    }
}
#endif
