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

    /// The policy of a caller who may do everything with all entities.
    public init() {
        (visible, isOwn) = ([], { _ in true })
    }

    /// The policy of any other caller.
    ///
    /// - Parameters:
    ///   - own: Selects the caller's own entities; `nil` for a caller who owns none.
    ///   - isOwn: Whether an entity is the caller's own; it must agree with the predicate.
    public init(own: Predicate<Model>?, isOwn: @escaping @Sendable (Model) -> Bool) {
        (visible, self.isOwn) = ([own ?? Self.nothing], isOwn)
    }

    public func mayRead(_ entity: Model) -> Bool { isOwn(entity) }
    public func mayCreate(_ entity: Model) -> Bool { isOwn(entity) }
    public func mayUpdate(_ old: Model, to new: Model) -> Bool { isOwn(old) && isOwn(new) }
    public func mayDelete(_ entity: Model) -> Bool { isOwn(entity) }
}

extension AccessPolicy {
    /// A predicate that no entity satisfies.
    public static var nothing: Predicate<Model> { #Predicate { _ in false } }
}
