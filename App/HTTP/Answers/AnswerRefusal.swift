/// Why a request with an idempotency key is not answered.
public enum AnswerRefusal: Error, Hashable, Sendable {
    /// The key is not 1 to 255 visible ASCII characters.
    case invalidKey
    /// A request with the same key is being answered.
    case inProgress
    /// The key was used for another body.
    case reused
    /// The answer's body has more bytes than are kept; nothing was stored, also nothing of the change.
    case tooLong(limit: Int)
}

extension AnswerRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidKey: "Idempotency-Key must be 1 to 255 visible ASCII characters"
        case .inProgress: "a request with this Idempotency-Key is being answered"
        case .reused: "this Idempotency-Key was used for another body"
        case .tooLong(let limit): "the answer has more than \(limit) bytes, which is what is kept under a key"
        }
    }
}
