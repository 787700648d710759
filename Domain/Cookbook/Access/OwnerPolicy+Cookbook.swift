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
            let own = caller.userID.map { id in #Predicate<Cookbook> { $0.owner == id } }
            self.init(caller.userID?.rawValue, own: own) { caller.isOwner($0.owner) }
        }
    }
}

extension CookingSessionPolicy {
    /// Makes the policy of a caller.
    public init(_ caller: Caller) {
        if caller.isAdmin {
            self.init()
        } else {
            let own = caller.userID.map { id in #Predicate<CookingSession> { $0.user == id } }
            self.init(caller.userID?.rawValue, own: own) { caller.isOwner($0.user) }
        }
    }
}
