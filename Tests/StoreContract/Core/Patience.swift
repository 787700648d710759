private import Synchronization

/// The first of a result and a time limit; it is delivered once.
private final class FirstOutcome<Outcome: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Outcome?, Never>)
        case decided(Outcome?)
        case delivered
    }

    private let state = Mutex(State.open)

    /// Decides the outcome, unless it is decided already.
    func decide(_ outcome: Outcome?) {
        let waiting = state.withLock { state -> CheckedContinuation<Outcome?, Never>? in
            switch state {
            case .open:
                state = .decided(outcome)
                return nil
            case .waiting(let continuation):
                state = .delivered
                return continuation
            case .decided, .delivered: return nil
            }
        }
        waiting?.resume(returning: outcome)
    }

    /// The outcome, as soon as it is decided. Called once.
    func value() async -> Outcome? {
        await withCheckedContinuation { continuation in
            let decided = state.withLock { state -> Outcome?? in
                guard case .decided(let outcome) = state else {
                    state = .waiting(continuation)
                    return nil
                }
                state = .delivered
                return .some(outcome)
            }
            if let decided { continuation.resume(returning: decided) }
        }
    }
}

/// Runs work for at most a time, then cancels it and continues without it. A task group would wait for work that never
/// ends, such as the call of a store that does not resume a continuation.
///
/// - Returns: The result, or `nil` if the work took longer or the task was cancelled.
func result<Result: Sendable>(
    within limit: Duration, of work: @escaping @Sendable () async -> Result
) async -> Result? {
    let first = FirstOutcome<Result>()
    let worker = Task { first.decide(await work()) }
    let clock = Task {
        try? await Task.sleep(for: limit)
        first.decide(nil)
    }
    let outcome = await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        first.decide(nil)
    }
    worker.cancel()
    clock.cancel()
    return outcome
}
