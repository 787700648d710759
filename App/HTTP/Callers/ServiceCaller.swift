/// A caller that an ``Authenticator`` has identified.
///
/// Requests of a caller count for its ``key``; change streams end when the token identifies another caller.
public protocol ServiceCaller: Sendable, Equatable {
    /// Identifies the caller among all callers, whatever its permissions are at the moment.
    var key: String { get }
    /// Whether the caller may read the service's metrics.
    var isOperator: Bool { get }
}
