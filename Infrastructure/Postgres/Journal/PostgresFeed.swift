#if Postgres
internal import LarderData
internal import LarderDomain
internal import Synchronization

/// The last commits of the journal, which all streams of a store share: one reader reads each commit once, however many
/// streams follow.
///
/// While streams wait, it reads every 20 milliseconds, and at once after a commit of the store. A stream that is further
/// behind than the buffer reads the journal itself.
final class PostgresFeed: Sendable {
    /// The next elements of a stream.
    enum Next {
        case events(ArraySlice<PostgresJournal.Event>)
        /// The stream is further behind than the buffer.
        case behind
        case nothing
    }

    private struct State {
        var streams: [WeakStream] = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Increases when streams may have new events.
        var version = 0
        var isPolling = false
        /// The running read.
        var reading: Task<Void, Never>?
        /// Whether there may be commits that the running read does not see.
        var isOutdated = false
        var buffer = PostgresEvents(after: 0)
        /// The number of consecutive failures.
        var failures = 0
        /// Whether the store was replaced or closed.
        var hasEnded = false

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            version += 1
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    private struct WeakStream: Sendable {
        weak let stream: PostgresStream?
    }

    private static let interval: Duration = .milliseconds(20)
    private let pool: PostgresPool
    private let lifetime: UInt64
    private let state = Mutex(State())
    /// The number of waiters so far.
    private let waits = Atomic(0)

    init(_ pool: PostgresPool, _ lifetime: UInt64) { (self.pool, self.lifetime) = (pool, lifetime) }

    var hasEnded: Bool { state.withLock(\.hasEnded) }

    var version: Int { state.withLock(\.version) }

    /// - Parameter settled: A position up to which streams that are behind read the journal themselves.
    func add(_ stream: PostgresStream, after settled: Int64) {
        state.withLock { state in
            state.streams.removeAll { $0.stream == nil }
            // Without streams, the buffer was not continued.
            if state.streams.isEmpty, state.reading == nil { state.buffer = PostgresEvents(after: settled) }
            state.streams.append(WeakStream(stream: stream))
        }
    }

    func next(after position: Int64) -> Next { state.withLock { $0.buffer.next(after: position) } }

    /// Reads commits for a stream that is behind.
    func page(after position: Int64) async -> PostgresJournal.Page? {
        let page = await read(after: position, patience: 10)
        if page == nil { noteFailure() }
        return page
    }

    /// Reads commits after a position; `nil` if the server is unavailable.
    ///
    /// - Parameter patience: The milliseconds of the wait for a transaction that has taken a missing position.
    private func read(after position: Int64, patience: Int) async -> PostgresJournal.Page? {
        try? await pool.run { connection, _ throws(PersistencyError) in
            // All streams wait for this read.
            try connection.waiting(upTo: .seconds(10)) { () throws(PersistencyError) in
                try PostgresJournal(connection: connection).page(after: position, patience: patience)
            }
        }
    }

    /// Lets the next successful read make all streams try again, because one of them could not read.
    func noteFailure() { state.withLock { $0.failures += 1 } }

    /// Waits until there may be events since a version, or the store is closed, or the task is cancelled.
    func wait(after version: Int) async {
        let number = waits.wrappingAdd(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (waits, starts) = state.withLock { state in
                    if state.hasEnded || Task.isCancelled || state.version != version { return (false, false) }
                    state.waiting[number] = continuation
                    defer { state.isPolling = true }
                    return (true, !state.isPolling)
                }
                if !waits { continuation.resume() }
                if starts { poll() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    private func poll() {
        Task { [weak self] in
            while let self, self.isAwaited {
                await self.startReading().value
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Whether there are streams; otherwise, the next one starts a poll.
    private var isAwaited: Bool {
        state.withLock { state in
            state.isPolling = !state.streams.allSatisfy { $0.stream == nil } && !state.hasEnded
            return state.isPolling
        }
    }

    /// Reads the commits after a commit of the store, if there are streams.
    func wake() {
        let isFollowed = state.withLock { $0.isPolling || !$0.streams.allSatisfy { $0.stream == nil } }
        if isFollowed { startReading() }
    }

    /// Reads the commits after the buffer, also commits that are stored while this is running.
    @discardableResult private func startReading() -> Task<Void, Never> {
        state.withLock { state in
            state.isOutdated = true
            let reading = state.reading ?? Task { await readAll() }
            state.reading = reading
            return reading
        }
    }

    private func readAll() async {
        while let (end, failures) = state.withLock({ beginReading(&$0) }) {
            let page = await read(after: end, patience: 10 << min(failures, 9))
            let waiting = state.withLock { append(page, &$0) }
            for continuation in waiting { continuation.resume() }
        }
    }

    private func beginReading(_ state: inout State) -> (end: Int64, failures: Int)? {
        if state.isOutdated, !state.hasEnded {
            state.isOutdated = false
            return (state.buffer.end, state.failures)
        }
        state.reading = nil
        return nil
    }

    /// Returns the streams to resume.
    private func append(_ page: PostgresJournal.Page?, _ state: inout State) -> [CheckedContinuation<Void, Never>] {
        // While the server is unavailable, streams wait.
        guard let page else {
            state.failures += 1
            return []
        }
        let isOver = page.lifetime != lifetime
        state.hasEnded = state.hasEnded || isOver
        let isNew = !isOver && state.buffer.append(page)
        // A full page may be followed by others.
        if page.events.count >= PostgresJournal.pageSize { state.isOutdated = true }
        if !isNew, !isOver, state.failures == 0 { return [] }
        state.failures = 0
        return state.takeWaiting()
    }

    /// Reads the commits that streams may be behind.
    func finish(upTo limit: Int) async {
        let streams = state.withLock { $0.streams.compactMap(\.stream) }
        if streams.isEmpty { return }
        await startReading().value
        for stream in streams { await stream.fill(upTo: limit) }
    }

    func close() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }
}
#endif
