public import HTTPTypes
public import LarderApp

/// An answer of 400 or above, as problem details (RFC 9457): thrown by whatever refuses a request, written by
/// ``ProblemMiddleware``.
public struct Problem: Error, Sendable {
    /// Which problem it is.
    public let kind: Kind
    /// What is wrong with this request, in a sentence for a person; nothing of the inside.
    public let detail: String
    /// What is wrong with single members of the body.
    public let errors: [FieldError]
    /// Header fields of the answer: `Allow`, `ETag`, `Retry-After`.
    public var headers: HTTPFields
    /// Whether the connection ends with the answer, because the rest of the request is not worth reading.
    public var closesConnection: Bool

    /// Describes a problem.
    public init(
        _ kind: Kind, _ detail: String, errors: [FieldError] = [], headers: HTTPFields = [:],
        closesConnection: Bool = false
    ) {
        self.kind = kind
        self.detail = detail
        self.errors = errors
        self.headers = headers
        self.closesConnection = closesConnection
    }

    /// Describes a problem with one query parameter or header field.
    public static func badRequest(_ detail: String) -> Problem { Problem(.badRequest, detail) }

    /// Describes a request without a valid token. ``ProblemMiddleware`` adds the challenge.
    public static func unauthenticated(_ detail: String) -> Problem { Problem(.unauthorized, detail) }
}
