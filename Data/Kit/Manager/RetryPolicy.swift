internal import LarderDomain

/// How often, and after which pauses, a change is tried again that lost against another.
public struct RetryPolicy: Sendable {
    /// How often it is tried in all, at least 1.
    public let attempts: Int
    /// The longest pause before the second attempt; each further one may be twice as long.
    public let firstPause: Duration
    /// The longest pause of all.
    public let longestPause: Duration
    /// Waits; throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1, so that those that met once do not meet again.
    let jitter: @Sendable () -> Double
    let onRetry: @Sendable (_ attempt: Int) -> Void

    /// Makes a policy; clock and chance can be replaced in tests.
    ///
    /// - Parameter onRetry: Hears of each further attempt, from number 2, before the pause that it begins with.
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

    /// Waits before an attempt, counted from 1; the first is not waited for.
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
