internal import HTTPTypes
internal import LarderApp

/// The permitted rate of requests: a bucket of tokens, of which each request takes one.
struct RatePolicy: Sendable {
    /// The name in `RateLimit` and `RateLimit-Policy`.
    let name: String
    /// The tokens that a bucket gets each second.
    let rate: Int
    /// The tokens of a full bucket.
    let burst: Int

    /// The time in which a bucket gets one token.
    var interval: Duration { .nanoseconds(1_000_000_000 / Int64(rate)) }
    /// The time in which an empty bucket becomes full.
    var window: Duration { interval * burst }

    /// Takes a token from a bucket, which is stored as the time at which it is full again.
    func take(from bucket: inout ContinuousClock.Instant, at present: ContinuousClock.Instant) -> RateStanding {
        let deficit = max(present.duration(to: bucket), .zero)
        guard deficit + interval <= window else { return RateStanding(policy: self, deficit: deficit, isRefused: true) }
        bucket = present.advanced(by: deficit + interval)
        return RateStanding(policy: self, deficit: deficit + interval, isRefused: false)
    }
}

/// The state of a caller's bucket after a request.
struct RateStanding: Sendable {
    let policy: RatePolicy
    /// The time until the bucket is full.
    let deficit: Duration
    let isRefused: Bool

    /// The fields of the response, as in draft-ietf-httpapi-ratelimit-headers.
    var fields: HTTPFields {
        let left = (policy.window - deficit).nanoseconds / policy.interval.nanoseconds
        return [
            .rateLimit: #""\#(policy.name)";r=\#(left);t=\#(deficit.wholeSeconds)"#,
            .rateLimitPolicy: #""\#(policy.name)";q=\#(policy.burst);w=\#(policy.window.wholeSeconds)"#,
        ]
    }

    /// The seconds until the bucket has a token.
    var retryAfter: Int64 { (deficit + policy.interval - policy.window).wholeSeconds }
}

extension Duration {
    /// The seconds, rounded up.
    fileprivate var wholeSeconds: Int64 { (nanoseconds + 999_999_999) / 1_000_000_000 }
}

extension HTTPField.Name {
    /// What is left of the quota.
    static let rateLimit = HTTPField.Name("RateLimit") ?? .retryAfter
    /// The quota, and its time.
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy") ?? .retryAfter
}
