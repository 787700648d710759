public import LarderDomain

/// Takes a recipe into the favourites of a cookbook, or out of them.
public struct FavouriteRecipe: Sendable {
    /// Which recipe, which cookbook, in or out.
    public struct Request: Sendable {
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// The cookbook.
        public let cookbook: EntityID<Cookbook>
        /// Whether it is to be a favourite.
        public let isFavourite: Bool

        /// Asks for a favourite, or for one less.
        public init(recipe: EntityID<Recipe>, cookbook: EntityID<Cookbook>, isFavourite: Bool = true) {
            self.recipe = recipe
            self.cookbook = cookbook
            self.isFavourite = isFavourite
        }
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Changes the favourites; what is so already writes nothing.
    ///
    /// - Throws: `InvalidField` naming `favourites` when there is no room for another; `notFound` for a recipe or cookbook
    ///   that is not there for the caller.
    @discardableResult
    public func execute(_ request: Request) async throws -> Saved<Cookbook> {
        try await storage.transaction { repositories in
            let recipe = try await repositories.recipes.require(request.recipe)
            let stored = try await repositories.cookbooks.require(request.cookbook)
            let cookbook =
                request.isFavourite ? try stored.entity.favouring(recipe.id) : stored.entity.unfavouring(recipe.id)
            return try await repositories.cookbooks.update(cookbook, expecting: stored.version)
        }
    }
}
