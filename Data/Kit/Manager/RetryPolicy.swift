internal import LarderDomain

/// The number of attempts at a change that concurrent commits invalidate, and the pauses between them.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, at least 1.
    public let attempts: Int
    /// The maximum pause before the second attempt; the maximum doubles with each further one.
    public let firstPause: Duration
    /// The upper limit of all pauses.
    public let longestPause: Duration
    /// Waits; throws on cancellation.
    let sleep: @Sendable (Duration) async throws -> Void
    /// The jitter: the fraction of a pause that is waited, from 0 to 1.
    let jitter: @Sendable () -> Double
    let onRetry: @Sendable (_ attempt: Int) -> Void

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

    /// Waits before an attempt, counted from 1; the first one starts immediately.
    func pause(before attempt: Int) async throws(PersistencyError) {
        guard attempt > 1 else { return }
        onRetry(attempt)
        let longest = min(longestPause, firstPause * (1 << min(attempt - 2, 16)))
        do {
            try await sleep(longest * jitter())
        } catch {
            throw .cancelled
        }
    }
}
