private import Synchronization

/// A fair semaphore for asynchronous work: a limited number of tasks run at once, the others wait in order of arrival.
/// It bounds the memory that the work uses; unlike a refusal, waiting saves clients a second request.
public final class WorkGate: Sendable {
    private struct State {
        var free: Int
        var nextID = 0
        /// The waiting tasks, by ascending id.
        var waiting: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    /// - Parameter limit: The maximum number of tasks that run at once.
    public init(_ limit: Int) {
        state = Mutex(State(free: limit))
    }

    /// The number of waiting tasks.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs the work when it is the task's turn. The work must not pass the same gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; the errors of the work.
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
                // Checked again under the lock: a slot may have become free, or the task may have been cancelled
                // before.
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

    /// Passes the slot on directly, so that a new task cannot overtake waiting ones.
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
