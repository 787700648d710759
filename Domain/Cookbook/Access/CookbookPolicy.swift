#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// A cookbook is its owner's own affair, in whichever role; admins may do everything.
public struct CookbookPolicy: AccessPolicy {
    private let caller: Caller

    /// Makes the policy of a caller.
    public init(_ caller: Caller) {
        self.caller = caller
    }

    public var visible: [Predicate<Cookbook>] {
        if caller.isAdmin { return [] }
        guard let id = caller.userID else { return [nothing()] }
        return [#Predicate { $0.owner == id }]
    }
    public func mayRead(_ cookbook: Cookbook) -> Bool { caller.isAdmin || caller.isOwner(cookbook.owner) }
    public func mayCreate(_ cookbook: Cookbook) -> Bool { mayRead(cookbook) }
    public func mayUpdate(_ old: Cookbook, to new: Cookbook) -> Bool { mayRead(old) && mayRead(new) }
    public func mayDelete(_ cookbook: Cookbook) -> Bool { mayRead(cookbook) }
}
