private import Synchronization

/// The key of a request's caller. A reference, because middleware outside of the authentication gets it after the
/// response was made, and has a copy of the context from before.
final class RequestAccount: Sendable {
    private let stored = Mutex<String?>(nil)

    /// The caller's key; `nil` for an anonymous one.
    var key: String? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
