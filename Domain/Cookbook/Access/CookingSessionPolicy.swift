#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// What a user cooked is the user's own affair, in whichever role; admins may do everything.
public struct CookingSessionPolicy: AccessPolicy {
    private let caller: Caller

    /// Makes the policy of a caller.
    public init(_ caller: Caller) {
        self.caller = caller
    }

    public var visible: [Predicate<CookingSession>] {
        if caller.isAdmin { return [] }
        guard let id = caller.userID else { return [nothing()] }
        return [#Predicate { $0.user == id }]
    }
    public func mayRead(_ session: CookingSession) -> Bool { caller.isAdmin || caller.isOwner(session.user) }
    public func mayCreate(_ session: CookingSession) -> Bool { mayRead(session) }
    public func mayUpdate(_ old: CookingSession, to new: CookingSession) -> Bool { mayRead(old) && mayRead(new) }
    public func mayDelete(_ session: CookingSession) -> Bool { mayRead(session) }
}
