#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

/// Recipes are there to be read; a cook looks after the cook's own, and an admin after all.
public struct RecipePolicy: AccessPolicy {
    private let caller: Caller
    private let reading: PublicReading

    /// Makes the policy of a caller.
    ///
    /// - Parameter readingIsOpen: Whether somebody who is not known may read.
    public init(_ caller: Caller, readingIsOpen: Bool = true) {
        self.caller = caller
        reading = PublicReading(caller, isOpen: readingIsOpen)
    }

    public var visible: [Predicate<Recipe>] { reading.visible() }
    public func mayRead(_ recipe: Recipe) -> Bool { reading.isAllowed }
    public func mayCreate(_ recipe: Recipe) -> Bool { mayChange(recipe) }
    /// A recipe is given to somebody else by admins only, or a cook could burden others.
    public func mayUpdate(_ old: Recipe, to new: Recipe) -> Bool { mayChange(old) && mayChange(new) }
    public func mayDelete(_ recipe: Recipe) -> Bool { mayChange(recipe) }

    private func mayChange(_ recipe: Recipe) -> Bool {
        caller.isAdmin || caller.isCook && caller.isOwner(recipe.owner)
    }
}
