#if Postgres
internal import LarderData
public import LarderDomain
internal import Synchronization

extension PostgresStore {
    /// How long a commit in doubt is asked for.
    private static let patience: Duration = .seconds(10)

    /// The outcome of a commit of this store, or of any retained commit. Waits while its transaction is running, and
    /// while the server waits for a synchronous replica; a cancellation of the task ends the wait.
    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        let outcome = outcomes.outcome(of: id)
        guard outcome == .unknown else { return outcome }
        let doubt = doubts.withLock { $0[id] }
        guard let found = try await find(id, hasBegun: doubt != nil, in: doubt ?? nil) else { return .unknown }
        return found.outcome
    }

    /// Remembers that this store does not know the outcome of a commit, for ``outcome(of:)``.
    ///
    /// - Parameter backend: A process of the server that may still begin the transaction.
    func noteDoubt(_ id: CommitID, in backend: PostgresBackend? = nil) {
        doubts.withLock { if $0[id] == nil { $0[id] = .some(backend) } }
    }

    /// The settled position of a commit whose connection was lost after `COMMIT` was sent; `nil` if the transaction was
    /// rolled back.
    ///
    /// The journal decides, not the number of the transaction, which a server uses again if it was killed before it wrote
    /// anything of the transaction.
    ///
    /// - Parameter backend: A process of the server that may still begin the transaction.
    /// - Throws: `inDoubt` if the server does not say in time.
    func resolve(
        _ id: CommitID, _ cause: Unavailable, _ backend: PostgresBackend?
    ) async throws(PersistencyError) -> Int64? {
        // Not interrupted by a cancellation, which must not change the outcome.
        let search = Task { () -> (outcome: CommitOutcome, position: Int64?)? in
            while !Task.isCancelled {
                if let found = try? await find(id, hasBegun: true, in: backend) { return found }
                try? await Task.sleep(for: .milliseconds(50))
            }
            return nil
        }
        let limit = Task {
            try await Task.sleep(for: Self.patience)
            search.cancel()
        }
        defer { limit.cancel() }
        let found = await search.value
        if let position = found?.position { return position }
        if found?.outcome == .absent { return nil }
        noteDoubt(id, in: backend)
        throw .inDoubt(id, cause)
    }

    /// The outcome and, if the commit is stored, its settled position.
    ///
    /// - Parameters:
    ///   - hasBegun: Whether the transaction has begun, or cannot begin after the process has ended. If not, it can begin
    ///     only if the id is not older than the store.
    ///   - backend: A process of the server that may still begin the transaction.
    /// - Returns: `nil` while the process is running.
    private func find(
        _ id: CommitID, hasBegun: Bool, in backend: PostgresBackend?
    ) async throws(PersistencyError) -> (outcome: CommitOutcome, position: Int64?)? {
        // An id names whole milliseconds.
        let time = hasBegun ? Timestamp.now().adding(.milliseconds(1)) : openedAt
        return try await pool.run(untilCancelled: true) { connection, _ throws(PersistencyError) in
            if let backend, try connection.isRunning(backend) { return nil }
            return try connection.waiting(upTo: Self.patience) { () throws(PersistencyError) in
                let journal = PostgresJournal(connection: connection)
                let found = try journal.find(id, begunBefore: time)
                if let position = found.position {
                    try journal.settle(after: settlement.position, before: position)
                    settlement.note(upTo: position)
                }
                return found
            }
        }
    }
}
#endif
