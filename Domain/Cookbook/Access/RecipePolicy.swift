#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// All callers with read access may read recipes. A cook may change the cook's own recipes, and an admin all of them.
public struct RecipePolicy: AccessPolicy {
    private let caller: Caller
    private let reading: PublicReading

    /// Makes the policy of a caller.
    ///
    /// - Parameter readingIsOpen: Whether unauthenticated callers may read.
    public init(_ caller: Caller, readingIsOpen: Bool = true) {
        self.caller = caller
        reading = PublicReading(caller, isOpen: readingIsOpen)
    }

    public var visible: [Predicate<Recipe>] { reading.visible() }
    public func mayRead(_ recipe: Recipe) -> Bool { reading.isAllowed }
    public var mayCreateSome: Bool { caller.isCook }
    public var mayUpdateSome: Bool { caller.isCook }
    public func mayCreate(_ recipe: Recipe) -> Bool { mayChange(recipe) }
    /// Only admins may transfer a recipe to another user, so that a cook cannot give unwanted recipes to others.
    public func mayUpdate(_ old: Recipe, to new: Recipe) -> Bool { mayChange(old) && mayChange(new) }
    public func mayDelete(_ recipe: Recipe) -> Bool { mayChange(recipe) }
    public func mayFollow(_ change: CommittedChange) -> Bool { reading.isAllowed }
    public var mayFollowRemovals: Bool { reading.isAllowed }

    private func mayChange(_ recipe: Recipe) -> Bool {
        caller.isAdmin || caller.isCook && caller.isOwner(recipe.owner)
    }
}
