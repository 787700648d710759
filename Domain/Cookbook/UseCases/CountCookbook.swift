internal import LarderDomain

/// Counts the entities of the cookbook.
public struct CountCookbook: Sendable {
    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Counts in the store, without loading recipes or photos. The numbers may come from different commits.
    public func execute() async throws -> CookbookCounts {
        let repositories = storage.repositories
        let recipes = try await repositories.recipes.counts()
        let tags = try await repositories.tags.read(Query(limit: 1, includesTotal: true)).total ?? 0
        return CookbookCounts(recipes, tags: tags, photos: try await repositories.photos.count())
    }
}

/// The numbers of the cookbook's entities.
public struct CookbookCounts: Sendable, Equatable {
    /// The recipes.
    public let recipes: Int
    /// The ingredients of all recipes.
    public let ingredients: Int
    /// The steps of all recipes.
    public let steps: Int
    /// The tags, including unused ones.
    public let tags: Int
    /// The recipes with a rating.
    public let rated: Int
    /// The recipes that have been cooked.
    public let completed: Int
    /// The photos of recipes and steps.
    public let photos: Int

    init(_ counts: RecipeCounts, tags: Int, photos: Int) {
        (recipes, ingredients, steps) = (counts.recipes, counts.ingredients, counts.steps)
        (rated, completed) = (counts.rated, counts.completed)
        (self.tags, self.photos) = (tags, photos)
    }
}
