internal import CookbookDomain
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

typealias CookbookService = ResourceService<AuthenticatedUser, OpenCookbook>
typealias CookbookContext = CallerContext<AuthenticatedUser>

/// A user authenticated by a token.
struct AuthenticatedUser: ServiceCaller {
    let user: User

    var key: String { user.id.description }
    var operatorPermissions: Set<OperatorPermission> { user.role == .admin ? .all : [] }
    var permissions: Caller { Caller(user) }

    /// Equal permissions: a change stream continues after another change of the user.
    static func == (lhs: AuthenticatedUser, rhs: AuthenticatedUser) -> Bool { lhs.permissions == rhs.permissions }
}

extension AuthenticatedUser? {
    /// The permissions of the caller of a request.
    var permissions: CookbookDomain.Caller { self?.permissions ?? .anonymous }
}
