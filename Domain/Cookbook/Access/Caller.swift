public import LarderDomain

/// On whose behalf something is done.
public enum Caller: Sendable, Hashable {
    /// Nobody who is known.
    case anonymous
    /// A user in a role.
    case user(EntityID<User>, Role)
    /// The program itself, or whoever holds the database in hand: may do what an admin may, and owns nothing.
    case system

    /// A user in the user's own role.
    public init(_ user: User) {
        self = .user(user.id, user.role)
    }

    /// The user; `nil` when it is none.
    public var userID: EntityID<User>? {
        if case .user(let id, _) = self { id } else { nil }
    }

    /// Whether everything is allowed.
    public var isAdmin: Bool {
        switch self {
        case .anonymous: false
        case .user(_, let role): role == .admin
        case .system: true
        }
    }

    /// Whether recipes may be brought in.
    public var isCook: Bool {
        if case .user(_, .cook) = self { true } else { isAdmin }
    }

    /// Whether it is known who it is.
    public var isKnown: Bool { self != .anonymous }

    /// Whether something that belongs to a user is this caller's own.
    public func isOwner(_ owner: EntityID<User>?) -> Bool {
        owner != nil && owner == userID
    }
}
