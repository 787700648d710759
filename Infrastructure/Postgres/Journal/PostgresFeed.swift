#if Postgres
internal import LarderDomain
internal import Synchronization

/// Tells the streams of a store when to read the journal: after its own commits, and when a poll finds commits of others.
/// While streams wait, it polls every 20 milliseconds.
final class PostgresFeed: Sendable {
    private struct State {
        var streams: [WeakStream] = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var numbers = 0
        /// Increases when there may be new commits.
        var version = 0
        var isPolling = false
        /// The last position that a poll found.
        var newest: Int64?
        var isClosed = false
    }

    private struct WeakStream: Sendable {
        weak let stream: PostgresStream?
    }

    private static let interval: Duration = .milliseconds(20)
    private let newest: @Sendable () async throws(PersistencyError) -> Int64
    private let state = Mutex(State())

    /// - Parameter newest: Reads the position of the last commit.
    init(_ newest: @escaping @Sendable () async throws(PersistencyError) -> Int64) {
        self.newest = newest
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    var version: Int { state.withLock(\.version) }

    func add(_ stream: PostgresStream) {
        state.withLock { state in
            state.streams.removeAll { $0.stream == nil }
            state.streams.append(WeakStream(stream: stream))
        }
    }

    /// Waits until there may be commits since a version, or the store is closed, or the task is cancelled.
    func wait(after version: Int) async {
        let number = state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (waits, starts) = state.withLock { state in
                    if state.isClosed || Task.isCancelled || state.version != version { return (false, false) }
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
                if let position = try? await self.newest(), self.isNew(position) { self.wake() }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func isNew(_ position: Int64) -> Bool {
        state.withLock { state in
            defer { state.newest = position }
            return state.newest != position
        }
    }

    /// Lets the next poll make all streams read, because one of them could not.
    func noteFailure() { state.withLock { $0.newest = nil } }

    /// Whether streams wait; otherwise, the next one starts a poll.
    private var isAwaited: Bool {
        state.withLock { state in
            state.isPolling = !state.streams.allSatisfy { $0.stream == nil } && !state.isClosed
            return state.isPolling
        }
    }

    /// Makes all streams read the journal.
    func wake() {
        let waiting = state.withLock { state in
            state.version += 1
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Reads the commits that streams may be behind.
    func finish(upTo limit: Int) async {
        for stream in state.withLock({ $0.streams.compactMap(\.stream) }) { await stream.fill(upTo: limit) }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }
}
#endif
