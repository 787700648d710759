internal import HTTPTypes
private import Synchronization

/// The caller of a request, and the state of its bucket. A reference, because middleware outside of the authentication
/// gets them after the response was made, and has a copy of the context from before.
final class RequestAccount: Sendable {
    private let state = Mutex<(key: String?, rateFields: HTTPFields)>((nil, [:]))

    /// The caller's key; `nil` for an anonymous one.
    var key: String? {
        get { state.withLock { $0.key } }
        set { state.withLock { $0.key = newValue } }
    }

    /// The fields of the ``RateLimiter``; none if the request is not counted.
    var rateFields: HTTPFields {
        get { state.withLock { $0.rateFields } }
        set { state.withLock { $0.rateFields = newValue } }
    }
}
