public import HTTPTypes

extension Problem {
    /// The kinds of problems. ``type`` is the address of the kind's description in the docs.
    public enum Kind: String, CaseIterable, Sendable {
        /// 400: a malformed body, parameter, or header field.
        case badRequest = "bad-request"
        /// 401: a missing or invalid token.
        case unauthorized
        /// 403: the caller, or its token, does not have the permission.
        case forbidden
        /// 404: no such path or object, or none that the caller may see.
        case notFound = "not-found"
        /// 405: a path without a route for the method.
        case methodNotAllowed = "method-not-allowed"
        /// 408: a head or a body that did not arrive in time.
        case requestTimeout = "request-timeout"
        /// 409: stored data contradicts the change.
        case conflict
        /// 409: a request with the same idempotency key is in progress.
        case requestInProgress = "request-in-progress"
        /// 412: the object has another version than the request expects.
        case preconditionFailed = "precondition-failed"
        /// 413: a body beyond the limit.
        case contentTooLarge = "content-too-large"
        /// 414: a request target beyond the limit.
        case uriTooLong = "uri-too-long"
        /// 415: a media type or an encoding that the route does not read.
        case unsupportedMediaType = "unsupported-media-type"
        /// 422: invalid members of the body, each with its pointer.
        case invalidFields = "invalid-fields"
        /// 422: an idempotency key that was used with another body.
        case idempotencyKeyReused = "idempotency-key-reused"
        /// 428: a change without the version that it is based on.
        case preconditionRequired = "precondition-required"
        /// 429: the caller has reached its share of a limit.
        case tooManyRequests = "too-many-requests"
        /// 429: the caller has too many stored responses.
        case idempotencyQuotaExceeded = "idempotency-quota-exceeded"
        /// 431: header fields beyond the limit.
        case headersTooLarge = "headers-too-large"
        /// 500: a failure of the service, whose cause is in its log.
        case internalError = "internal-error"
        /// 503: the service has reached a limit; the same request may succeed later.
        case overloaded
        /// 503: the work on the request took too long; a change may have been made.
        case timedOut = "timed-out"
        /// 503: the store cannot answer at present.
        case storeUnavailable = "store-unavailable"
        /// 503: the validity of the token cannot be checked at present.
        case authenticationUnavailable = "authentication-unavailable"
        /// 503: the service is shutting down, and accepts no new requests.
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
        case .overloaded, .timedOut, .storeUnavailable, .authenticationUnavailable, .shuttingDown: .serviceUnavailable
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
        case .authenticationUnavailable: "Authentication unavailable"
        case .shuttingDown: "Service shutting down"
        }
    }
}
