#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

/// A bounded number of connections, lent to operations in the order of their arrival.
final class PostgresPool: Sendable {
    private typealias Waiter = CheckedContinuation<Result<PostgresLane, PersistencyError>, Never>

    private struct State {
        /// All lanes.
        var lanes: [PostgresLane] = []
        var idle: [PostgresLane] = []
        /// The number of statements that lanes have sent which are not used any more.
        var droppedStatements = 0
        var isWatched = false
        /// The server has refused further connections: none is opened before an instant.
        var refusedUntil = ContinuousClock.now
        var waiters: [(number: Int, continuation: Waiter)] = []
        /// The number of reads that the calling thread declines.
        var declines = 0
        var isClosed = false
    }

    /// If a read on the calling thread takes longer than this, the next ones are declined: the server is not close.
    private static let promptness = Duration.microseconds(500)
    private static let declines = 16
    /// How long no further connection is opened after the server has refused one.
    private static let refusal: Duration = .seconds(5)
    private let configuration: PostgresStore.Configuration
    private let state = Mutex(State())
    /// The number of waiters so far.
    private let waits = Atomic(0)

    init(_ configuration: PostgresStore.Configuration) { self.configuration = configuration }

    /// The number of statements sent.
    var statementsRun: Int { state.withLock { $0.lanes.reduce($0.droppedStatements) { $0 + $1.activity.count } } }

    /// The number of operations that wait for a connection.
    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Whether no connection is in use.
    var isUnused: Bool { state.withLock { $0.idle.count == $0.lanes.count } }

    /// Runs work on the thread of a connection.
    ///
    /// - Parameter untilCancelled: Whether a cancellation of the task interrupts the work, which then throws `cancelled`.
    /// - Throws: `unavailable`: `busy` if no connection becomes free in time; `cancelled` if the task was cancelled before.
    func run<Result: Sendable>(
        untilCancelled: Bool = false,
        _ work: @Sendable (PostgresConnection, StoreThread) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let lane = try await take()
        let result = await Swift.Result { () async throws(PersistencyError) in
            untilCancelled ? try await lane.runUntilCancelled(work) : try await lane.run(work)
        }
        if case .failure(let error) = result, error.postgresError?.state == "53300", drop(lane) {
            return try await run(untilCancelled: untilCancelled, work)
        }
        giveBack(lane)
        return try result.get()
    }

    /// Uses the other connections for a while, because the server accepts fewer than the limit; `false` if there are none.
    private func drop(_ lane: PostgresLane) -> Bool {
        state.withLock { state in
            guard state.lanes.count > 1 else { return false }
            state.lanes.removeAll { $0 === lane }
            state.droppedStatements += lane.activity.count
            state.refusedUntil = .now + Self.refusal
            return true
        }
    }

    /// Sends an exchange on the calling thread, or, if no connection is free, when it is its turn.
    ///
    /// - Parameter done: Called at the end, also if the exchange was not sent.
    func begin(
        _ make: @escaping @Sendable (PostgresConnection) -> PostgresExchange,
        _ done: @escaping @Sendable (Result<Void, PersistencyError>) -> Void
    ) {
        let begin = { @Sendable (lane: PostgresLane) in
            lane.exchange(make) { result in
                self.giveBack(lane)
                done(result)
            }
        }
        if let lane = try? takeFree() { return begin(lane) }
        Task { do throws(PersistencyError) { begin(try await take()) } catch { done(.failure(error)) } }
    }

    /// Reads a root on the calling thread, if the server is close, all connections are idle, and the results arrive within a
    /// millisecond. This takes 1.05 times as long as with libpq, and 2.74 times on the thread of a connection.
    ///
    /// - Returns: Whether it has read.
    func readAtOnce(_ id: RawID, of table: SQLTablePlan, to body: RowVisitor) throws(PersistencyError) -> Bool {
        guard let lane = takeIfClose() else { return false }
        let began = ContinuousClock.now
        defer { if began.duration(to: .now) > Self.promptness { state.withLock { $0.declines = Self.declines } } }
        return try lane.readAtOnce(id, of: table, to: body) { self.giveBack(lane) }
    }

    private func takeIfClose() -> PostgresLane? {
        state.withLock { state in
            guard state.idle.count == state.lanes.count else { return nil }
            guard state.declines == 0 else {
                state.declines -= 1
                return nil
            }
            return state.idle.popLast()
        }
    }

    private func take() async throws(PersistencyError) -> PostgresLane {
        if let lane = try takeFree() { return lane }
        let number = waits.wrappingAdd(1, ordering: .relaxed).newValue
        let limit = Task { [patience = configuration.busyTimeout] in
            try? await Task.sleep(for: patience)
            if Task.isCancelled { return }
            let message = "all connections have been in use for \(patience)"
            self.give(up: number, .unavailable(Unavailable(.busy, message)))
        }
        defer { limit.cancel() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Result<PostgresLane, PersistencyError>? in
                    if state.isClosed { return .failure(.closed) }
                    if Task.isCancelled { return .failure(.cancelled) }
                    if state.waiters.isEmpty, let lane = state.idle.popLast() { return .success(lane) }
                    state.waiters.append((number, continuation))
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            give(up: number, .cancelled)
        }.get()
    }

    private func takeFree() throws(PersistencyError) -> PostgresLane? {
        let (lane, startsWatch) = try state.withLock { state throws(PersistencyError) -> (PostgresLane?, Bool) in
            if state.isClosed { throw .closed }
            // With waiting operations, a free connection is theirs.
            guard state.waiters.isEmpty else { return (nil, false) }
            var lane = state.idle.popLast()
            let count = state.lanes.count
            if lane == nil, count == 0 || count < configuration.connections && state.refusedUntil <= .now {
                let new = PostgresLane(configuration, "\(count + 1)")
                state.lanes.append(new)
                lane = new
            }
            defer { state.isWatched = state.isWatched || lane != nil }
            return (lane, lane != nil && !state.isWatched)
        }
        if startsWatch { Task { await watchOver() } }
        return lane
    }

    /// Looks for silent connections of others while an operation sends no statement. Ends when no connection is in use.
    private func watchOver() async {
        var counts: [ObjectIdentifier: Int] = [:]
        var watch: PostgresWatch?
        while true {
            try? await Task.sleep(for: PostgresWatch.interval)
            let lent = state.withLock { state -> [PostgresLane] in
                let idle = Set(state.idle.map(ObjectIdentifier.init))
                let lent = state.lanes.filter { !idle.contains(ObjectIdentifier($0)) }
                state.isWatched = !lent.isEmpty && !state.isClosed
                return state.isWatched ? lent : []
            }
            if lent.isEmpty { break }
            if lent.contains(where: { counts[ObjectIdentifier($0)] == $0.activity.count }) {
                if watch == nil { watch = PostgresWatch(PostgresLane(configuration, "watch"), self) }
                await watch?.look()
            }
            counts = Dictionary(uniqueKeysWithValues: lent.map { (ObjectIdentifier($0), $0.activity.count) })
        }
        await watch?.lane.close()
    }

    private func give(up number: Int, _ error: PersistencyError) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiters.remove(at: index).continuation
        }
        waiter?.resume(returning: .failure(error))
    }

    private func giveBack(_ lane: PostgresLane) {
        let waiter = state.withLock { state -> Waiter? in
            if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
            if state.isClosed { Task { await lane.close() } } else { state.idle.append(lane) }
            return nil
        }
        waiter?.resume(returning: .success(lane))
    }

    /// Closes idle connections now, and others after their operations.
    func close() async {
        let (idle, waiters) = state.withLock { state in
            state.isClosed = true
            defer { (state.idle, state.waiters) = ([], []) }
            return (state.idle, state.waiters)
        }
        for waiter in waiters { waiter.continuation.resume(returning: .failure(.closed)) }
        for lane in idle { await lane.close() }
    }

    func checkOpen() throws(PersistencyError) { if state.withLock(\.isClosed) { throw .closed } }
}
#endif
