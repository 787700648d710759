#if Postgres
public import LarderData
public import LarderDomain

extension PostgresStore {
    /// How long a commit in doubt is asked for.
    private static let patience: Duration = .seconds(10)

    /// The outcome of a commit of this store, or of any retained commit. Waits while its transaction is running.
    public nonisolated func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        let outcome = outcomes.outcome(of: id)
        guard outcome == .unknown else { return outcome }
        let openedAt = openedAt
        return try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).outcome(of: id, openedAt: openedAt)
        }
    }

    /// The position of a commit whose connection was lost after `COMMIT` was sent.
    ///
    /// - Throws: `unavailable` if the transaction was rolled back; `inDoubt` if the server does not say in time.
    nonisolated func resolve(
        _ transaction: Int64, _ id: CommitID, _ cause: Unavailable
    ) async throws(PersistencyError) -> Int64 {
        let clock = ContinuousClock()
        let limit = clock.now.advanced(by: Self.patience)
        while clock.now < limit {
            let status = try? await pool.run { connection, _ throws(PersistencyError) in
                let row = try connection.run(
                    "SELECT pg_xact_status($1::text::xid8)", [.text(String(transaction))])
                return row.advance() ? row.text(0) : ""
            }
            switch status {
            case "committed": return transaction
            case "aborted": throw .unavailable(cause)
            default: break
            }
            // Not interrupted by a cancellation, which must not change the outcome.
            await Task { try? await Task.sleep(for: .milliseconds(50)) }.value
        }
        throw .inDoubt(id, cause)
    }
}
#endif
