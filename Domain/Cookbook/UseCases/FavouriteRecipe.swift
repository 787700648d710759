public import LarderDomain

/// Adds a recipe to the favourites of a cookbook, or removes it.
public struct FavouriteRecipe: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// The cookbook.
        public let cookbook: EntityID<Cookbook>
        /// Whether the recipe shall be a favourite.
        public let isFavourite: Bool

        /// Makes a request to add or remove a favourite.
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

    /// Changes the favourites; writes nothing if nothing changes.
    ///
    /// - Throws: `InvalidField` naming `favourites` if the list is full; `notFound` if the caller sees no such recipe
    ///   or cookbook.
    @discardableResult
    public func execute(_ request: Request) async throws -> Saved<Cookbook> {
        try await storage.transaction { repositories in
            let recipe = try await repositories.recipes.require(request.recipe)
            return try await repositories.cookbooks.change(request.cookbook) { cookbook in
                cookbook = request.isFavourite ? try cookbook.favouring(recipe.id) : cookbook.unfavouring(recipe.id)
            }
        }
    }
}
