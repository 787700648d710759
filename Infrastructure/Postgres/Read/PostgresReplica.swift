#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

/// The servers that answer reads for which a replica is sufficient.
final class PostgresReplica: Sendable {
    /// How long a read waits until the replica has the commit of its token.
    private static let patience: Duration = .milliseconds(100)
    /// How long reads use the primary after the replica was lost. Then, one read tries the replica again.
    private static let pause: Duration = .seconds(5)

    let pool: PostgresPool
    private let lifetime: UInt64
    private let pausedUntil = Mutex<ContinuousClock.Instant?>(nil)

    init(_ pool: PostgresPool, lifetime: UInt64) { (self.pool, self.lifetime) = (pool, lifetime) }

    /// Runs a read on a replica; `nil` if the primary must answer, because the replica cannot be used, or does not get the
    /// commit in time.
    func read<Result: Sendable>(
        including token: ChangeToken?,
        _ body: @Sendable (PostgresConnection, StoreThread) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result? {
        if isPaused() { return nil }
        let limit = ContinuousClock.now.advanced(by: Self.patience)
        repeat {
            let result: Result?
            do throws(PersistencyError) {
                result = try await pool.run(untilCancelled: true) { connection, thread throws(PersistencyError) in
                    // Both on one connection: another one may be to another server.
                    try includes(token?.position ?? 0, connection) ? try body(connection, thread) : nil
                }
            } catch {
                guard error.isOfReplica else { throw error }
                if error.postgresError != nil { pausedUntil.withLock { $0 = .now + Self.pause } }
                return nil
            }
            pausedUntil.withLock { $0 = nil }
            if let result { return result }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { throw .cancelled }
        } while ContinuousClock.now < limit
        return nil
    }

    /// Whether the server has all commits up to a position: each transaction up to it has ended there.
    ///
    /// - Throws: `unavailable` for a server that is not a replica any more, or has another store. As after the loss of a
    ///   connection, the lane connects again, perhaps to another server.
    private func includes(_ position: Int64, _ connection: PostgresConnection) throws(PersistencyError) -> Bool {
        let (table, known) = (PostgresJournal.table, connection.replayed)
        let state = try connection.run(
            "SELECT pg_is_in_recovery(), lifetime, size, (SELECT count(*) FROM \(table) "
                + "WHERE position > greatest($1::bigint, start.size) AND position <= $2::bigint) "
                + "FROM \(table) AS start WHERE position = 0", [.integer(known), .integer(position)])
        guard state.advance(), state.integer(0) == 1, UInt64(bitPattern: state.integer(1)) == lifetime else {
            let message = "the server is not a replica of the store's primary"
            throw .unavailable(PostgresError(state: "", message: message).unavailable)
        }
        // On the primary, each position before that of a receipt has a row.
        let missing = position - max(known, state.integer(2)) - state.integer(3)
        if missing <= 0 { connection.replayed = max(known, position) }
        return missing <= 0
    }

    /// At the end of a pause, the first caller tries the replica, while others use the primary.
    private func isPaused() -> Bool {
        pausedUntil.withLock { end in
            guard let paused = end else { return false }
            if .now < paused { return true }
            end = .now + Self.pause
            return false
        }
    }
}

extension PersistencyError {
    /// Whether the primary may answer instead: the replica cannot be reached, has no free connection, lacks the latest
    /// tables, or has ended the read, because it conflicts with a change that it receives.
    fileprivate var isOfReplica: Bool {
        switch self {
        case .contention: true
        case .unavailable(let trouble):
            postgresError.map { $0.isDisconnection || ["3F000", "42703", "42P01", "53300"].contains($0.state) }
                ?? (trouble.reason == .busy)
        default: false
        }
    }
}
#endif
