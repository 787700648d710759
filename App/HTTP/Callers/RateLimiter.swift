internal import HTTPTypes
private import Synchronization

/// Limits the rate of requests, with a bucket for each caller, and one for all callers without a valid token together.
final class RateLimiter: Sendable {
    private let caller: RatePolicy?
    private let anonymous: RatePolicy?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let buckets: Mutex<RateBuckets>

    /// - Returns: `nil` without a limit.
    init?(_ limits: ServerLimits, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        guard let anonymousRate = limits.anonymousRate ?? limits.requestRate else { return nil }
        caller = limits.requestRate.map { RatePolicy(name: "user", rate: $0, burst: limits.requestBurst ?? $0) }
        let burst = max(limits.requestBurst ?? 1, anonymousRate)
        anonymous = RatePolicy(name: "anonymous", rate: anonymousRate, burst: burst)
        self.now = now
        buckets = Mutex(RateBuckets(at: now()))
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - key: The key of the caller; `nil` without a valid token.
    ///   - account: Receives the state of the bucket, for the fields of the response.
    /// - Throws: `Problem` with 429 beyond the limit.
    func admit(_ key: String?, _ account: RequestAccount) throws(Problem) {
        guard let policy = key == nil ? anonymous : caller else { return }
        let present = now()
        let standing = buckets.withLock { $0.take(for: key, policy, at: present) }
        account.rate = standing
        guard standing.isRefused else { return }
        let detail =
            key == nil
            ? "Callers without a valid token have reached their limit of \(policy.rate) requests per second; send one, "
                + "or try again later."
            : "You have reached your limit of \(policy.rate) requests per second; try again later."
        throw Problem(.tooManyRequests, detail, headers: [.retryAfter: String(standing.retryAfter)])
    }
}
