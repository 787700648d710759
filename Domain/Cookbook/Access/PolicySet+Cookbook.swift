public import LarderDomain

extension PolicySet {
    /// The cookbook's policies for a caller.
    ///
    /// - Parameter readingIsOpen: Whether unauthenticated callers may read recipes, tags, brands, and photos.
    public static func cookbook(for caller: Caller, readingIsOpen: Bool) -> PolicySet {
        PolicySet([
            RecipePolicy(caller, readingIsOpen: readingIsOpen),
            CommonsPolicy<Tag>(caller, readingIsOpen: readingIsOpen),
            CommonsPolicy<Brand>(caller, readingIsOpen: readingIsOpen),
            CommonsPolicy<Photo>(caller, readingIsOpen: readingIsOpen),
            UserPolicy(caller), CookbookPolicy(caller), CookingSessionPolicy(caller),
        ])
    }
}
