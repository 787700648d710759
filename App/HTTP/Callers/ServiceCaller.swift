/// A caller that an ``Authenticator`` has identified.
///
/// Requests of a caller count for its ``key``; change streams end when the token identifies another caller.
public protocol ServiceCaller: Sendable, Equatable {
    /// The caller's unique key, which does not change with the caller's permissions.
    var key: String { get }
    /// The permissions of an operator; by default none.
    var operatorPermissions: Set<OperatorPermission> { get }
}

extension ServiceCaller {
    public var operatorPermissions: Set<OperatorPermission> { [] }
}
