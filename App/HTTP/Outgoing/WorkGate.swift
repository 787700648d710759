private import Synchronization

/// Lets a number of tasks work at once; the others wait in the order in which they came. It bounds what the work holds in
/// memory, and unlike a refusal costs nobody a second request.
public final class WorkGate: Sendable {
    private struct State {
        var free: Int
        var nextID = 0
        /// Those who wait, by ascending ids.
        var waiting: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    /// - Parameter limit: How many work at once.
    public init(_ limit: Int) {
        state = Mutex(State(free: limit))
    }

    /// How many tasks wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Works when it is the task's turn. The work must not pass the same gate.
    ///
    /// - Throws: `CancellationError` for a task that is cancelled while it waits; what the work throws.
    public func pass<Result>(_ work: () async throws -> Result) async throws -> Result {
        guard await enter() else { throw CancellationError() }
        defer { leave() }
        return try await work()
    }

    private func enter() async -> Bool {
        let isFree = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if isFree { return true }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                // Judged again under the lock: a place may have become free, and a cancellation before this wakes nobody.
                let isDecided = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((id, turn))
                    return nil
                }
                if let isDecided { turn.resume(returning: isDecided) }
            }
        } onCancel: {
            let turn = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(returning: false)
        }
    }

    /// Hands the place on, so that nobody who comes now gets it before those who wait.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        next?.resume(returning: true)
    }
}
