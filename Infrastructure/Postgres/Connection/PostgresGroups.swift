#if Postgres
internal import LarderDomain
internal import Synchronization

/// A short operation that is sent together with others of its kind.
protocol PostgresGrouped: AnyObject, Sendable {
    associatedtype Success: Sendable

    /// `nil` until it is known. Only the thread that receives the group's results sets it.
    var result: Result<Success, PersistencyError>? { get set }
    /// The bytes of the values that are sent.
    var byteCount: Int { get }

    /// The statements of a group. The evaluation of their results sets those of the operations, except those that must run
    /// on their own.
    static func exchange(of group: [Self], on connection: PostgresConnection) -> PostgresExchange<Bool>
}

/// Operations that are called while others run, and are then sent together. A round trip for each one would wake the
/// server and this process for each one.
///
/// A chain of groups uses one connection: the thread that receives a group's results sends the next group, and only then
/// resumes the tasks.
final class PostgresGroups<Operation: PostgresGrouped>: Sendable {
    private typealias Member = (operation: Operation, waiter: CheckedContinuation<Bool, Never>)

    private struct State {
        /// The number of chains.
        var running = 0
        /// A slice, from whose front a group is removed in constant time.
        var waiting: ArraySlice<Member> = []
        var lastProgress = ContinuousClock.now

        mutating func takeGroup() -> [Member] {
            var bytes = 0
            let group = Array(
                waiting.prefix(PostgresGroups.size).prefix { member in
                    bytes += member.operation.byteCount
                    return bytes <= PostgresExchange<Bool>.maximumBytes
                })
            // An operation with too many bytes is refused by the connection, and runs on its own.
            let taken = group.isEmpty ? Array(waiting.prefix(1)) : group
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    /// With two chains, the results of one group are evaluated while the server answers the other.
    private static var chains: Int { 2 }
    private static var size: Int { 32 }
    /// If no group ends in this time, the groups may wait for a lock. Then, a new operation does not wait for them.
    private static var patience: Duration { .milliseconds(10) }
    private let pool: PostgresPool
    private let state = Mutex(State())

    init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Runs an operation. Not interrupted by a cancellation.
    ///
    /// - Returns: `nil` if it must run on its own, which also determines the error.
    func run(_ operation: Operation) async throws(PersistencyError) -> Operation.Success? {
        let isLate = await withCheckedContinuation { waiter in
            let (isLate, startsChain) = state.withLock { state in
                if state.running == Self.chains, state.lastProgress.duration(to: .now) > Self.patience {
                    return (true, false)
                }
                state.waiting.append((operation, waiter))
                if state.running == Self.chains { return (false, false) }
                (state.running, state.lastProgress) = (state.running + 1, .now)
                return (false, true)
            }
            if isLate { waiter.resume(returning: true) }
            if startsChain { Task { await runChain() } }
        }
        return isLate ? nil : try operation.result?.get()
    }

    private func runChain() async {
        while true {
            let group = state.withLock { state in
                let group = state.takeGroup()
                if group.isEmpty { state.running -= 1 }
                return group
            }
            if group.isEmpty { return }
            let first = Group(group)
            do throws(PersistencyError) {
                _ = try await pool.exchange { self.exchange(first, on: $0) }
                first.end()
            } catch {
                first.end(error)
            }
        }
    }

    private func exchange(_ group: Group, on connection: PostgresConnection) -> PostgresExchange<Bool> {
        let exchange = Operation.exchange(of: group.operations, on: connection)
        exchange.follow = { result in
            self.state.withLock { $0.lastProgress = .now }
            var next: PostgresExchange<Bool>?
            if case .success = result { next = self.sendNext(on: connection) }
            if case .failure(let error) = result { group.end(error) } else { group.end() }
            return next
        }
        return exchange
    }

    /// Sends the waiting operations; `nil` if there are none, or if another operation waits for a connection.
    private func sendNext(on connection: PostgresConnection) -> PostgresExchange<Bool>? {
        guard pool.waitingCount == 0 else { return nil }
        let members = state.withLock { $0.takeGroup() }
        if members.isEmpty { return nil }
        let group = Group(members)
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

    /// `@unchecked Sendable` is safe because one thread at a time uses it: the one that sends the statements, and then the
    /// one that receives the results.
    private final class Group: @unchecked Sendable {
        private var members: [Member]
        let operations: [Operation]

        init(_ members: [Member]) {
            (self.members, operations) = (members, members.map(\.operation))
        }

        /// Resumes the tasks. Later calls have no effect.
        func end(_ error: PersistencyError? = nil) {
            // Other errors may be those of one operation, or of an idle connection that was lost before: each operation
            // runs on its own.
            if let error, error.postgresError?.isSilent ?? true {
                for operation in operations where operation.result == nil { operation.result = .failure(error) }
            }
            for member in members { member.waiter.resume(returning: false) }
            members = []
        }
    }
}
#endif
