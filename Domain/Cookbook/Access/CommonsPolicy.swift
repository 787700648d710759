#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// Entities without an owner that recipes share (tags, brands, photos): readable like recipes, created by cooks, and
/// changed only by admins, because a change shows in the recipes of others.
public struct CommonsPolicy<Model: Entity>: AccessPolicy {
    private let caller: Caller
    private let reading: PublicReading

    /// Makes the policy of a caller.
    ///
    /// - Parameter readingIsOpen: Whether unauthenticated callers may read.
    public init(_ caller: Caller, readingIsOpen: Bool = true) {
        self.caller = caller
        reading = PublicReading(caller, isOpen: readingIsOpen)
    }

    public var visible: [Predicate<Model>] { reading.visible() }
    public func mayRead(_ entity: Model) -> Bool { reading.isAllowed }
    public var mayCreateSome: Bool { caller.isCook }
    public var mayUpdateSome: Bool { caller.isAdmin }
    public func mayCreate(_ entity: Model) -> Bool { caller.isCook }
    public func mayUpdate(_ old: Model, to new: Model) -> Bool { caller.isAdmin }
    public func mayDelete(_ entity: Model) -> Bool { caller.isAdmin }
    public func mayFollow(_ change: CommittedChange) -> Bool { reading.isAllowed }
    public var mayFollowRemovals: Bool { reading.isAllowed }
}
