internal import HTTPTypes
private import Synchronization

/// Limits the rate of requests, with a bucket for each caller, and one for all callers without a valid token together.
final class RateLimiter: Sendable {
    private let caller: RatePolicy?
    private let anonymous: RatePolicy
    private let now: @Sendable () -> ContinuousClock.Instant
    private let buckets: Mutex<RateBuckets>

    /// - Returns: `nil` without a limit.
    init?(_ limits: ServerLimits, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        guard max(limits.anonymousRate, limits.requestRate) > 0 else { return nil }
        let (rate, burst) = (limits.requestRate, limits.requestBurst)
        let others = limits.anonymousRate > 0 ? limits.anonymousRate : rate
        caller = rate > 0 ? RatePolicy(name: "user", rate: rate, burst: burst > 0 ? burst : rate) : nil
        anonymous = RatePolicy(name: "anonymous", rate: others, burst: max(burst, others))
        self.now = now
        buckets = Mutex(RateBuckets(at: now()))
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - key: The key of the caller; `nil` without a valid token.
    ///   - account: Receives the fields of the response.
    /// - Throws: `Problem` with 429 beyond the limit.
    func admit(_ key: String?, _ account: RequestAccount) throws(Problem) {
        guard let policy = key == nil ? anonymous : caller else { return }
        let present = now()
        let (deficit, wait) = buckets.withLock { $0.take(for: key, policy, at: present) }
        account.rateFields = policy.fields(deficit)
        guard let wait else { return }
        let callers = key == nil ? "all callers without a valid token" : "one user"
        let detail = "The limit of \(policy.rate) requests per second of \(callers) is reached; try again later."
        throw Problem(.tooManyRequests, detail, headers: [.retryAfter: String(wait)])
    }
}
