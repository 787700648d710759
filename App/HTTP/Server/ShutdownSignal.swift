internal import Synchronization

/// Signals to long-running work, such as readiness checks and streams, that the server stops.
public final class ShutdownSignal: Sendable {
    private struct State {
        var isGiven = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Makes a signal that has not been given.
    public init() {}

    /// Whether the signal was given.
    public var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Gives the signal. Repeated calls have no effect.
    public func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the signal was given, or the task is cancelled.
    public func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isGiven, !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}
