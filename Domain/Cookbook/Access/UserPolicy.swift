#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// Users are seen by themselves and by admins, who alone register and remove them.
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
    public func mayCreate(_ user: User) -> Bool { caller.isAdmin }
    /// Users change their names; role and address decide what they may do and who they are.
    public func mayUpdate(_ old: User, to new: User) -> Bool {
        caller.isAdmin || caller.isOwner(old.id) && old.role == new.role && old.email == new.email
    }
    public func mayDelete(_ user: User) -> Bool { caller.isAdmin }
}
