#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// Users may read their own data, and admins all of it. Only admins may create and delete users.
public struct UserPolicy: AccessPolicy {
    private let caller: Caller

    /// Makes the policy of a caller.
    public init(_ caller: Caller) {
        self.caller = caller
    }

    public var visible: [Predicate<User>] {
        if caller.isAdmin { return [] }
        guard let id = caller.userID else { return [Self.nothing] }
        return [#Predicate { $0.id == id }]
    }
    public func mayRead(_ user: User) -> Bool { caller.isAdmin || caller.isOwner(user.id) }
    public var mayCreateSome: Bool { caller.isAdmin }
    public var mayUpdateSome: Bool { caller.isKnown }
    public func mayCreate(_ user: User) -> Bool { caller.isAdmin }
    /// Except for admins, users may change only their own names: role and address determine permissions and identity.
    public func mayUpdate(_ old: User, to new: User) -> Bool {
        caller.isAdmin || caller.isOwner(old.id) && old.role == new.role && old.email == new.email
    }
    public func mayDelete(_ user: User) -> Bool { caller.isAdmin }
    public func mayFollow(_ change: CommittedChange) -> Bool {
        caller.isAdmin || change.reference.id == caller.userID?.rawValue
    }
    public var mayFollowRemovals: Bool { caller.isAdmin || caller.userID != nil }
}
