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
    var isOperator: Bool { user.role == .admin }
    var permissions: Caller { Caller(user) }

    /// Equal permissions: a change stream continues after another change of the user.
    static func == (lhs: AuthenticatedUser, rhs: AuthenticatedUser) -> Bool { lhs.permissions == rhs.permissions }
}

extension AuthenticatedUser? {
    /// The permissions of the caller of a request.
    var permissions: CookbookDomain.Caller { self?.permissions ?? .anonymous }
}

extension Caller {
    /// Whether the caller may see an entity, judged by its key and owner, which are all that a change names. Where
    /// reading requires authentication, the caller is authenticated.
    func maySee(_ change: CommittedChange) -> Bool {
        switch change.reference.entity {
        case Recipe.entityName, Tag.entityName, Brand.entityName, Photo.entityName: true
        case User.entityName: isAdmin || change.reference.id == userID?.rawValue
        case Cookbook.entityName, CookingSession.entityName:
            isAdmin || change.owner != nil && change.owner == userID?.rawValue
        default: false
        }
    }

    /// Whether the caller may see any entity with this schema name.
    func maySee(anyOf entity: String) -> Bool {
        switch entity {
        case Recipe.entityName, Tag.entityName, Brand.entityName, Photo.entityName: true
        case User.entityName, Cookbook.entityName, CookingSession.entityName: isAdmin || userID != nil
        default: false
        }
    }
}
