internal import HTTPTypes
internal import LarderApp

/// The permitted rate of requests: a bucket of tokens, of which each request takes one. A bucket is stored as the time
/// at which it is full again.
struct RatePolicy: Sendable {
    /// The name in `RateLimit` and `RateLimit-Policy`.
    let name: String
    /// The tokens that a bucket gets each second.
    let rate: Int
    /// The tokens of a full bucket.
    let burst: Int

    /// The time in which a bucket gets one token.
    private var interval: Duration { .nanoseconds(1_000_000_000 / Int64(rate)) }
    /// The time in which an empty bucket becomes full.
    private var window: Duration { interval * burst }

    /// Takes a token, if there is one.
    ///
    /// - Returns: The time until the bucket is full, and the seconds until it has a token, `nil` if one was taken.
    func take(
        from bucket: inout ContinuousClock.Instant, at present: ContinuousClock.Instant
    ) -> (deficit: Duration, wait: Int64?) {
        let deficit = max(present.duration(to: bucket), .zero)
        let excess = deficit + interval - window
        guard excess <= .zero else { return (deficit, excess.wholeSeconds) }
        bucket = present.advanced(by: deficit + interval)
        return (deficit + interval, nil)
    }

    /// The fields of the response, as in draft-ietf-httpapi-ratelimit-headers.
    func fields(_ deficit: Duration) -> HTTPFields {
        let left = (window - deficit).nanoseconds / interval.nanoseconds
        return [
            .rateLimit: #""\#(name)";r=\#(left);t=\#(deficit.wholeSeconds)"#,
            .rateLimitPolicy: #""\#(name)";q=\#(burst);w=\#(window.wholeSeconds)"#,
        ]
    }
}

extension Duration {
    /// The seconds, rounded up.
    fileprivate var wholeSeconds: Int64 { (nanoseconds + 999_999_999) / 1_000_000_000 }
}

extension HTTPField.Name {
    /// The rest of the quota.
    static let rateLimit = HTTPField.Name("RateLimit") ?? .retryAfter
    /// The quota, and its time.
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy") ?? .retryAfter
}
