public import LarderDomain

/// The identity for which an operation runs.
public enum Caller: Sendable, Hashable {
    /// An unauthenticated caller.
    case anonymous
    /// A user in a role.
    case user(EntityID<User>, Role)
    /// The program itself, or an operator with direct access to the database: has the permissions of an admin, and owns
    /// nothing.
    case system

    /// A user with the user's own role.
    public init(_ user: User) {
        self = .user(user.id, user.role)
    }

    /// The user's id; `nil` for other callers.
    public var userID: EntityID<User>? {
        if case .user(let id, _) = self { id } else { nil }
    }

    /// Whether the caller has all permissions.
    public var isAdmin: Bool {
        switch self {
        case .anonymous: false
        case .user(_, let role): role == .admin
        case .system: true
        }
    }

    /// Whether the caller may create recipes.
    public var isCook: Bool {
        if case .user(_, .cook) = self { true } else { isAdmin }
    }

    /// Whether the caller is authenticated.
    public var isKnown: Bool { self != .anonymous }

    /// Whether the caller is the given owner.
    public func isOwner(_ owner: EntityID<User>?) -> Bool {
        owner != nil && owner == userID
    }
}
