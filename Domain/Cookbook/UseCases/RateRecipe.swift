public import LarderDomain

/// Sets the rating of a recipe.
public struct RateRecipe: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// From 0, which removes the rating, to 5.
        public let rating: Int

        /// Makes a request to rate a recipe.
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

    /// Rates the recipe; writes nothing if the rating is the same.
    ///
    /// - Throws: `InvalidField` naming `rating`; `notFound` if there is no such recipe.
    @discardableResult
    public func execute(_ request: Request) async throws -> Saved<Recipe> {
        try await storage.repositories.recipes.change(request.recipe) { $0 = try $0.rated(request.rating) }
    }
}
