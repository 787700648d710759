/// The reason why a request with an idempotency key is refused.
public enum AnswerRefusal: Error, Hashable, Sendable {
    /// The key is not 1 to 255 visible ASCII characters.
    case invalidKey
    /// A request with the same key is in progress.
    case inProgress
    /// The key was used with another body.
    case reused
    /// The body of the response exceeds the maximum size. Neither the response nor the change was stored.
    case tooLong(limit: Int)
}

extension AnswerRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidKey: "Idempotency-Key must be 1 to 255 visible ASCII characters"
        case .inProgress: "a request with this Idempotency-Key is in progress"
        case .reused: "this Idempotency-Key was used with a different body"
        case .tooLong(let limit): "the response exceeds \(limit) bytes, the limit for stored responses"
        }
    }
}
