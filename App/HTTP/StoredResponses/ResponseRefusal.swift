/// The reason why a request with an idempotency key is refused.
public enum ResponseRefusal: Error, Hashable, Sendable {
    /// The key is not 1 to 255 visible ASCII characters.
    case invalidKey
    /// A request with the same key is in progress.
    case inProgress
    /// The key was used with another body.
    case reused
    /// The caller has as many stored responses as the quota permits. The first of them expires after `retryAfter`.
    case quotaExceeded(limit: Int, retryAfter: Duration)
}

extension ResponseRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidKey: "Idempotency-Key must be 1 to 255 visible ASCII characters"
        case .inProgress: "a request with this Idempotency-Key is in progress"
        case .reused: "this Idempotency-Key was used with a different body"
        case .quotaExceeded(let limit, _): "you have used \(limit) Idempotency-Keys, the limit for their lifetime"
        }
    }
}
