public import LarderDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The permissions on bikes: all callers read them, users borrow them, operators add and delete them.
public struct BikePolicy: AccessPolicy {
    private let caller: User?

    /// Creates the policy of a caller; `nil` is an anonymous one.
    public init(_ caller: User?) {
        self.caller = caller
    }

    public var visible: [Predicate<Bike>] { [] }
    public func mayRead(_ bike: Bike) -> Bool { true }
    public var mayCreateSome: Bool { caller?.isOperator ?? false }
    public var mayUpdateSome: Bool { caller != nil }
    public func mayCreate(_ bike: Bike) -> Bool { caller?.isOperator ?? false }
    public func mayUpdate(_ old: Bike, to new: Bike) -> Bool { caller != nil && old.name == new.name }
    public func mayDelete(_ bike: Bike) -> Bool { caller?.isOperator ?? false }
    public func mayFollow(_ change: CommittedChange) -> Bool { true }
    public var mayFollowRemovals: Bool { true }
}
