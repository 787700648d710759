internal import Hummingbird
internal import Synchronization

/// The requests in progress. Each is cancelled when its time is over; all are cancelled when the server must stop.
///
/// All requests share one clock, because a timer for each would cost more than most requests.
public final class RequestDeadlines: Sendable {
    /// The reason why a request was cancelled.
    enum Reason: Sendable {
        case tooLong
        case clientGone
        case shutdown
    }

    private struct Entry {
        let timer: RequestTimer
        let task: Task<Response, any Error>
        var reason: Reason?
    }

    private struct State {
        var nextID: UInt64 = 0
        var isOver = false
        var entries: [UInt64: Entry] = [:]
    }

    private let state = Mutex(State())

    /// Makes an empty table.
    public init() {}

    /// The number of requests in progress.
    public var count: Int { state.withLock { $0.entries.count } }

    func add(_ task: Task<Response, any Error>, _ timer: RequestTimer) -> UInt64 {
        let (id, isOver) = state.withLock { state in
            state.nextID += 1
            state.entries[state.nextID] = Entry(timer: timer, task: task, reason: state.isOver ? .shutdown : nil)
            return (state.nextID, state.isOver)
        }
        if isOver { task.cancel() }
        return id
    }

    /// Removes a request.
    ///
    /// - Returns: The reason why it was cancelled, if it was.
    func remove(_ id: UInt64) -> Reason? {
        state.withLock { $0.entries.removeValue(forKey: id)?.reason }
    }

    /// Cancels overdue requests at regular intervals, until the task is cancelled.
    func watch(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil {
            let now = ContinuousClock.now
            cancel(.tooLong) { $0.timer.isOver(at: now) }
        }
    }

    /// Cancels a request whose client has disconnected.
    func clientHasGone(_ id: UInt64) {
        let task = state.withLock { state in
            if state.entries[id]?.reason == nil { state.entries[id]?.reason = .clientGone }
            return state.entries[id]?.task
        }
        task?.cancel()
    }

    /// Cancels all requests, present and future.
    func cancelAll() {
        state.withLock { $0.isOver = true }
        cancel(.shutdown) { _ in true }
    }

    private func cancel(_ reason: Reason, where isOver: (Entry) -> Bool) {
        let tasks = state.withLock { state in
            let ids = state.entries.filter { $0.value.reason == nil && isOver($0.value) }.keys
            for id in ids { state.entries[id]?.reason = reason }
            return ids.compactMap { state.entries[$0]?.task }
        }
        for task in tasks { task.cancel() }
    }
}
