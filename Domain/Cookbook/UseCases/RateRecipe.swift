public import LarderDomain

/// Gives a recipe a rating.
public struct RateRecipe: Sendable {
    /// Which recipe, which rating.
    public struct Request: Sendable {
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// 0, which takes the rating away, to 5.
        public let rating: Int

        /// Asks for a rating.
        public init(recipe: EntityID<Recipe>, rating: Int) {
            self.recipe = recipe
            self.rating = rating
        }
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Rates the recipe; the same rating again writes nothing.
    ///
    /// - Throws: `InvalidField` naming `rating`; `notFound` when there is no such recipe.
    @discardableResult
    public func execute(_ request: Request) async throws -> Saved<Recipe> {
        try await storage.transaction { repositories in
            let stored = try await repositories.recipes.require(request.recipe)
            let rated = try stored.entity.rated(request.rating)
            return try await repositories.recipes.update(rated, expecting: stored.version)
        }
    }
}
