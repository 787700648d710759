public import HTTPTypes
public import LarderApp

/// A response of 400 or above as problem details (RFC 9457). It is thrown to refuse a request, and written by
/// ``ProblemMiddleware``.
public struct Problem: Error, Sendable {
    /// The kind of the problem.
    public let kind: Kind
    /// A sentence that explains the error in this request, without internal details.
    public let detail: String
    /// The errors in single members of the body.
    public let errors: [FieldError]
    /// Header fields of the response: `Allow`, `ETag`, `Retry-After`.
    public var headers: HTTPFields
    /// Whether the connection closes after the response, because the rest of the request is not read.
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
