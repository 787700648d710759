public import HTTPTypes

extension Problem {
    /// The kinds of problems. ``type`` is the address of the kind's description in the docs.
    public enum Kind: String, CaseIterable, Sendable {
        case badRequest = "bad-request"
        case unauthorized
        case forbidden
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case requestTimeout = "request-timeout"
        case conflict
        case requestInProgress = "request-in-progress"
        case preconditionFailed = "precondition-failed"
        case contentTooLarge = "content-too-large"
        case uriTooLong = "uri-too-long"
        case unsupportedMediaType = "unsupported-media-type"
        case invalidFields = "invalid-fields"
        case idempotencyKeyReused = "idempotency-key-reused"
        case preconditionRequired = "precondition-required"
        case tooManyRequests = "too-many-requests"
        case idempotencyQuotaExceeded = "idempotency-quota-exceeded"
        case headersTooLarge = "headers-too-large"
        case internalError = "internal-error"
        case overloaded
        case timedOut = "timed-out"
        case storeUnavailable = "store-unavailable"
        case shuttingDown = "shutting-down"
    }
}

extension Problem.Kind {
    /// The address of the kind's description, relative to the service's root.
    public var type: String { "/docs#problem-\(rawValue)" }

    /// The status of a response of this kind.
    public var status: HTTPResponse.Status {
        switch self {
        case .badRequest: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .conflict, .requestInProgress: .conflict
        case .preconditionFailed: .preconditionFailed
        case .contentTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .invalidFields, .idempotencyKeyReused: .unprocessableContent
        case .preconditionRequired: .preconditionRequired
        case .tooManyRequests, .idempotencyQuotaExceeded: .tooManyRequests
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .internalError: .internalServerError
        case .overloaded, .timedOut, .storeUnavailable, .shuttingDown: .serviceUnavailable
        }
    }

    /// The kind in a few words, the same for all of its problems.
    public var title: String {
        switch self {
        case .badRequest: "Bad request"
        case .unauthorized: "Authentication required"
        case .forbidden: "Forbidden"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .requestTimeout: "Request timeout"
        case .conflict: "Conflict"
        case .requestInProgress: "Request in progress"
        case .preconditionFailed: "Precondition failed"
        case .contentTooLarge: "Content too large"
        case .uriTooLong: "URI too long"
        case .unsupportedMediaType: "Unsupported media type"
        case .invalidFields: "Invalid fields"
        case .idempotencyKeyReused: "Idempotency-Key reused"
        case .preconditionRequired: "Precondition required"
        case .tooManyRequests: "Too many requests"
        case .idempotencyQuotaExceeded: "Idempotency-Key quota exceeded"
        case .headersTooLarge: "Request header fields too large"
        case .internalError: "Internal server error"
        case .overloaded: "Service overloaded"
        case .timedOut: "Processing timed out"
        case .storeUnavailable: "Store unavailable"
        case .shuttingDown: "Service shutting down"
        }
    }
}
