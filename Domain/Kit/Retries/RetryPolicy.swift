/// The number of attempts at a change that concurrent commits invalidate, and the pauses between them. Managers, stores
/// and routes repeat a change only by ``repeating(while:_:)``.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, at least 1.
    public let attempts: Int
    /// The maximum pause before the second attempt; the maximum doubles with each further one.
    public let firstPause: Duration
    /// The upper limit of all pauses.
    public let longestPause: Duration
    /// Waits; throws on cancellation.
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The jitter: the fraction of a pause that is waited, from 0 to 1.
    private let jitter: @Sendable () -> Double
    private let onRetry: @Sendable (_ attempt: Int) -> Void

    /// Creates a policy. Tests can replace the clock and the jitter. `onRetry` receives the number of each retry, from
    /// 2, before its pause.
    public init(
        attempts: Int = 16, firstPause: Duration = .milliseconds(1), longestPause: Duration = .milliseconds(50),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        onRetry: @escaping @Sendable (_ attempt: Int) -> Void = { _ in }
    ) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.sleep = sleep
        self.jitter = jitter
        self.onRetry = onRetry
    }

    /// Waits before an attempt, counted from 1.
    @usableFromInline func pause(before attempt: Int) async throws {
        onRetry(attempt)
        try await sleep(min(longestPause, firstPause * (1 << min(attempt - 2, 16))) * jitter())
    }
}

extension RetryPolicy {
    /// Repeats an attempt that loses to a concurrent commit, after a pause with jitter, so that concurrent writers do not
    /// collide again.
    ///
    /// The deadline of the caller is the cancellation of its task, which ends a pause at once.
    ///
    /// - Parameters:
    ///   - isLoss: Whether an error is such a loss, so that an attempt on the current state may succeed.
    ///   - attempt: Reads and changes the current state; receives its number, from 1.
    /// - Throws: Other errors of an attempt; the error of the last attempt; `cancelled` if the task is cancelled in a
    ///   pause.
    @inlinable @inline(__always)
    public func repeating<Result>(
        while isLoss: (PersistencyError) -> Bool,
        _ attempt: (_ number: Int) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        try await repeating(interruption: .cancelled, while: isLoss, attempt)
    }

    /// Repeats an attempt, as ``repeating(while:_:)``, that also throws errors of other types.
    ///
    /// - Parameter interruption: The error if the task is cancelled in a pause.
    @inlinable
    public func repeating<Result, Failure: Error>(
        interruption: Failure, while isLoss: (Failure) -> Bool,
        _ attempt: (_ number: Int) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var number = 1
        while true {
            do throws(Failure) {
                return try await attempt(number)
            } catch {
                guard number < attempts, isLoss(error) else { throw error }
            }
            number += 1
            do { try await pause(before: number) } catch { throw interruption }
        }
    }
}
