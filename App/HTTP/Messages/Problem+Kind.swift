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
        case .tooManyRequests: .tooManyRequests
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .internalError: .internalServerError
        case .overloaded, .timedOut, .storeUnavailable, .shuttingDown: .serviceUnavailable
        }
    }

    /// The kind in a few words, the same for all of its problems.
    public var title: String {
        switch self {
        case .badRequest: "The request is malformed"
        case .unauthorized: "It is not known who asks"
        case .forbidden: "Not allowed"
        case .notFound: "Not found"
        case .methodNotAllowed: "The method is not for this resource"
        case .requestTimeout: "The request took too long"
        case .conflict: "In conflict with what is stored"
        case .requestInProgress: "The same request is being answered"
        case .preconditionFailed: "Changed meanwhile"
        case .contentTooLarge: "The body is too large"
        case .uriTooLong: "The address is too long"
        case .unsupportedMediaType: "The body is of another type"
        case .invalidFields: "Fields are wrong"
        case .idempotencyKeyReused: "The key belongs to another request"
        case .preconditionRequired: "If-Match is missing"
        case .tooManyRequests: "Too many requests at once"
        case .headersTooLarge: "The header fields are too large"
        case .internalError: "The service failed"
        case .overloaded: "The service has too much to do"
        case .timedOut: "The service took too long"
        case .storeUnavailable: "The store cannot be used now"
        case .shuttingDown: "The service is stopping"
        }
    }
}
