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
    /// The journal decides, not the number of the transaction, which a server uses again if it was killed before it wrote
    /// anything of the transaction.
    ///
    /// - Throws: `unavailable` if the transaction was rolled back; `inDoubt` if the server does not say in time.
    nonisolated func resolve(_ id: CommitID, _ cause: Unavailable) async throws(PersistencyError) -> Int64 {
        let clock = ContinuousClock()
        let limit = clock.now.advanced(by: Self.patience)
        while clock.now < limit {
            let found = try? await pool.run { connection, _ throws(PersistencyError) in
                try connection.waiting(upTo: Self.patience) { () throws(PersistencyError) in
                    try PostgresJournal(connection: connection).position(of: id) ?? 0
                }
            }
            if let found {
                if found == 0 { throw .unavailable(cause) }
                return found
            }
            // Not interrupted by a cancellation, which must not change the outcome.
            await Task { try? await Task.sleep(for: .milliseconds(50)) }.value
        }
        throw .inDoubt(id, cause)
    }
}
#endif
