#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The policy of entities that are private to their owners: one caller may do everything with some entities, and does
/// not see the others. An entity stays with its owner.
public struct OwnerPolicy<Model: Entity>: AccessPolicy {
    public let visible: [Predicate<Model>]
    private let isOwn: @Sendable (Model) -> Bool
    private let follows: @Sendable (CommittedChange) -> Bool
    public let mayFollowRemovals: Bool
    public let mayCreateSome: Bool
    public var mayUpdateSome: Bool { mayCreateSome }

    /// The policy of a caller who may do everything with all entities.
    public init() {
        (visible, isOwn) = ([], { _ in true })
        (follows, mayFollowRemovals, mayCreateSome) = ({ _ in true }, true, true)
    }

    /// The policy of any other caller.
    ///
    /// - Parameters:
    ///   - owner: The caller's id, as the owner of entities in the mapping; `nil` for a caller who owns none. Changes are
    ///     followed by their owner.
    ///   - own: Selects the caller's own entities; `nil` for a caller who owns none.
    ///   - isOwn: Whether an entity is the caller's own; it must agree with the predicate.
    public init(
        _ owner: RawID?, own: Predicate<Model>?, isOwn: @escaping @Sendable (Model) -> Bool
    ) {
        (visible, self.isOwn) = ([own ?? Self.nothing], isOwn)
        (follows, mayFollowRemovals) = ({ owner != nil && $0.owner == owner }, owner != nil)
        mayCreateSome = own != nil
    }

    public func mayRead(_ entity: Model) -> Bool { isOwn(entity) }
    public func mayCreate(_ entity: Model) -> Bool { isOwn(entity) }
    public func mayUpdate(_ old: Model, to new: Model) -> Bool { isOwn(old) && isOwn(new) }
    public func mayDelete(_ entity: Model) -> Bool { isOwn(entity) }
    public func mayFollow(_ change: CommittedChange) -> Bool { follows(change) }
}

extension AccessPolicy {
    /// A predicate that no entity satisfies.
    public static var nothing: Predicate<Model> { #Predicate { _ in false } }
}
