private import Synchronization

/// The caller of a request, and the state of its bucket. A reference, because middleware outside of the authentication
/// gets them after the response was made, and has a copy of the context from before.
final class RequestAccount: Sendable {
    private struct State {
        var key: String?
        var rate: RateStanding?
    }

    private let state = Mutex(State())

    /// The caller's key; `nil` for an anonymous one.
    var key: String? {
        get { state.withLock { $0.key } }
        set { state.withLock { $0.key = newValue } }
    }

    /// The state of the caller's bucket; `nil` if the request is not counted.
    var rate: RateStanding? {
        get { state.withLock { $0.rate } }
        set { state.withLock { $0.rate = newValue } }
    }
}
