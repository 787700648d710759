internal import LarderDomain

/// Counts what is in the cookbook.
public struct CountCookbook: Sendable {
    private static let pageSize = 500

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Counts; goes through all recipes a page at a time, and reads no photo.
    public func execute() async throws -> CookbookCounts {
        let repositories = storage.repositories
        var counts = CookbookCounts()
        var request = RecipeListRequest(sort: .stored, limit: Self.pageSize)
        repeat {
            let page = try await repositories.recipes.list(request)
            for recipe in page.entities { counts.add(recipe) }
            request.after = page.next
        } while request.after != nil
        counts.tags = try await repositories.tags.read(Query(limit: 1, includesTotal: true)).total ?? 0
        return counts
    }
}

/// How much there is in the cookbook.
public struct CookbookCounts: Sendable, Equatable {
    /// The recipes.
    public internal(set) var recipes = 0
    /// The ingredients of all recipes.
    public internal(set) var ingredients = 0
    /// The steps of all recipes.
    public internal(set) var steps = 0
    /// The tags, used or not.
    public internal(set) var tags = 0
    /// The recipes with a rating.
    public internal(set) var rated = 0
    /// The recipes that somebody cooked.
    public internal(set) var completed = 0
    /// The photos of recipes and steps.
    public internal(set) var photos = 0

    mutating func add(_ recipe: Recipe) {
        recipes += 1
        ingredients += recipe.ingredients.count
        steps += recipe.steps.count
        rated += recipe.rating > 0 ? 1 : 0
        completed += recipe.completed ? 1 : 0
        photos += recipe.steps.count { $0.photo != nil } + (recipe.photo == nil ? 0 : 1)
    }
}
