import LarderApp
import LarderDomain
import LarderHTTP
import LoansDomain

/// What a request may use: the store's manager, restricted to the permissions of the caller.
struct Scope: Sendable {
    let manager: any PersistencyManager
    /// The caller; `nil` for an anonymous one.
    let user: User?
    let ids: any IDGenerator
    let tokens: AccessTokens

    /// Restricts a manager to the permissions of a caller.
    init(
        _ manager: any PersistencyManager, for user: User?, ids: any IDGenerator,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.manager = GuardedManager(manager, policies: Entities.policies(for: user))
        (self.user, self.ids) = (user, ids)
        tokens = AccessTokens(manager: self.manager, prefix: Program.identity.tokenPrefix, now: now)
    }
}

/// A user who has sent a valid token.
struct SignedInUser: ServiceCaller {
    let user: User

    var key: String { user.id.description }
    var operatorPermissions: Set<OperatorPermission> { user.isOperator ? .all : [] }
}
