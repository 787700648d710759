#if Postgres
internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Reads of one root each that are called while others run, and are then sent together. A round trip for each one would
/// wake the server and this process for each one.
final class PostgresReadGroups: Sendable {
    private enum Turn {
        /// The task sends its own read together with others.
        case send([Member])
        /// Another task has sent the read.
        case sent
    }

    private typealias Member = (read: PostgresGroupedRead, waiter: CheckedContinuation<Turn, Never>)

    private struct State {
        /// The number of groups that run.
        var running = 0
        var waiting: [Member] = []
    }

    /// With two groups, one is mapped while the server answers the other.
    private static let (groups, size) = (2, 32)
    private let pool: PostgresPool
    private let state = Mutex(State())

    init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Runs a read. Not interrupted by a cancellation.
    ///
    /// - Returns: Whether it has run. Otherwise, it must run on its own, which also determines the error.
    func run(_ read: PostgresGroupedRead) async throws(PersistencyError) -> Bool {
        let turn = await withCheckedContinuation { waiter in
            let turn = state.withLock { state -> Turn? in
                guard state.running == Self.groups else {
                    state.running += 1
                    return .send([])
                }
                state.waiting.append((read, waiter))
                return nil
            }
            if let turn { waiter.resume(returning: turn) }
        }
        if case .send(let others) = turn {
            await send([read] + others.map(\.read))
            startNext()
            for other in others { other.waiter.resume(returning: .sent) }
        }
        return try read.result?.get() != nil
    }

    private func send(_ reads: [PostgresGroupedRead]) async {
        do throws(PersistencyError) {
            _ = try await pool.exchange { connection in
                PostgresExchange(reads.flatMap { $0.steps(on: connection) }) { (receive) throws(PersistencyError) in
                    defer { connection.rowBuffer.removeAll() }
                    try receive()
                    return true
                }
            }
        } catch {
            // Others run on their own: the error may be that of one, or of an idle connection that was lost before.
            if let cause = error.postgresError, !cause.isSilent { return }
            for read in reads where read.result == nil { read.result = .failure(error) }
        }
    }

    /// Makes a waiting task send the waiting reads.
    private func startNext() {
        let next = state.withLock { state -> ArraySlice<Member> in
            let next = state.waiting.prefix(Self.size)
            state.waiting.removeFirst(next.count)
            if next.isEmpty { state.running -= 1 }
            return next
        }
        next.first?.waiter.resume(returning: .send(Array(next.dropFirst())))
    }
}
#endif
