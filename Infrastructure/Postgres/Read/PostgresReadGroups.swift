#if Postgres
internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Reads of one root each that are called while others run, and are then sent together. A round trip for each one would
/// wake the server and this process for each one.
///
/// A chain of groups uses one connection: the thread that receives a group's results sends the next group, and only then
/// resumes the tasks.
final class PostgresReadGroups: Sendable {
    fileprivate struct Member {
        let read: PostgresGroupedRead
        let waiter: CheckedContinuation<Bool, Never>
    }

    fileprivate struct State {
        /// The number of chains.
        var running = 0
        /// A slice, from whose front a group is removed in constant time.
        var waiting: ArraySlice<Member> = []
        var lastProgress = ContinuousClock.now
    }

    /// With two chains, one group is mapped while the server answers the other.
    private static let chains = 2
    fileprivate static let size = 32
    /// If no group ends in this time, the groups may wait for a lock. Then, a new read does not wait for them.
    private static let patience = Duration.milliseconds(10)
    private let pool: PostgresPool
    private let state = Mutex(State())

    init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Runs a read. Not interrupted by a cancellation.
    ///
    /// - Returns: Whether it has run. Otherwise, it must run on its own, which also determines the error.
    func run(_ read: PostgresGroupedRead) async throws(PersistencyError) -> Bool {
        let isLate = await withCheckedContinuation { waiter in
            let (isLate, startsChain) = state.withLock { state in
                if state.running == Self.chains, state.lastProgress.duration(to: .now) > Self.patience {
                    return (true, false)
                }
                state.waiting.append(Member(read: read, waiter: waiter))
                if state.running == Self.chains { return (false, false) }
                (state.running, state.lastProgress) = (state.running + 1, .now)
                return (false, true)
            }
            if isLate { waiter.resume(returning: true) }
            if startsChain { Task { await runChain() } }
        }
        guard !isLate, let result = read.result else { return false }
        try result.get()
        return true
    }

    private func runChain() async {
        while true {
            let group = state.withLock { state in
                let group = state.takeGroup()
                if group.isEmpty { state.running -= 1 }
                return group
            }
            if group.isEmpty { return }
            let first = PostgresReadGroup(reads: group.map(\.read)) {
                for member in group { member.waiter.resume(returning: false) }
            }
            do throws(PersistencyError) {
                _ = try await pool.exchange { self.exchange(first, on: $0) }
                first.end()
            } catch {
                first.end(error)
            }
        }
    }

    private func exchange(_ group: PostgresReadGroup, on connection: PostgresConnection) -> PostgresExchange<Bool> {
        let exchange = PostgresExchange(group.steps(on: connection)) {
            (receive) throws(PersistencyError) in
            defer { connection.rowBuffer.removeAll() }
            try receive()
            return true
        }
        exchange.follow = { result in
            self.state.withLock { $0.lastProgress = .now }
            var next: PostgresExchange<Bool>?
            if case .success = result { next = self.sendNext(on: connection) }
            if case .failure(let error) = result { group.end(error) } else { group.end() }
            return next
        }
        return exchange
    }

    /// Sends the waiting reads; `nil` if there are none, or if another operation waits for a connection.
    private func sendNext(on connection: PostgresConnection) -> PostgresExchange<Bool>? {
        guard pool.waitingCount == 0 else { return nil }
        let members = state.withLock { $0.takeGroup() }
        if members.isEmpty { return nil }
        let group = PostgresReadGroup(reads: members.map(\.read)) {
            for member in members { member.waiter.resume(returning: false) }
        }
        let exchange = exchange(group, on: connection)
        guard exchange.isShort, connection.canSend(exchange.steps),
            let pipeline = try? connection.send(exchange.steps[...])
        else {
            group.end()
            return nil
        }
        pool.count(exchange.steps.count)
        exchange.pipeline = pipeline
        return exchange
    }
}

extension PostgresReadGroups.State {
    fileprivate mutating func takeGroup() -> [PostgresReadGroups.Member] {
        let group = Array(waiting.prefix(PostgresReadGroups.size))
        waiting.removeFirst(group.count)
        return group
    }
}
#endif
