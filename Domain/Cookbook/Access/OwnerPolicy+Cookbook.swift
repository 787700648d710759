#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import LarderDomain

/// A cookbook is private to its owner, in any role.
public typealias CookbookPolicy = OwnerPolicy<Cookbook>
/// A cooking session is private to the user who cooked, in any role.
public typealias CookingSessionPolicy = OwnerPolicy<CookingSession>

extension CookbookPolicy {
    /// Makes the policy of a caller.
    public init(_ caller: Caller) {
        if caller.isAdmin {
            self.init()
        } else {
            self.init(own: caller.userID.map { id in #Predicate { $0.owner == id } }) { caller.isOwner($0.owner) }
        }
    }
}

extension CookingSessionPolicy {
    /// Makes the policy of a caller.
    public init(_ caller: Caller) {
        if caller.isAdmin {
            self.init()
        } else {
            self.init(own: caller.userID.map { id in #Predicate { $0.user == id } }) { caller.isOwner($0.user) }
        }
    }
}
