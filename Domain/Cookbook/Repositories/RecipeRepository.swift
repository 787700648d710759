public import LarderDomain

/// Keeps recipes, and answers what a cook asks about them.
public protocol RecipeRepository: EntityRepository where Model == Recipe {
    /// One page of the recipes that a filter lets through.
    func list(_ request: RecipeListRequest) async throws(PersistencyError) -> QueryPage<Recipe>

    /// The recipes that came from these sources, in no particular order; one statement for all of them.
    func fromSources(_ sourceIdentifiers: [String]) async throws(PersistencyError) -> [Stored<Recipe>]

    /// Every recipe with a name, in any case; names are not unique.
    func named(_ name: String) async throws(PersistencyError) -> [Stored<Recipe>]

    /// Counts in the store, which loads no recipe. Commits in between may show in some of the numbers only.
    func counts() async throws(PersistencyError) -> RecipeCounts
}

/// The numbers of recipes and of what they own.
public struct RecipeCounts: Sendable, Equatable {
    /// The recipes.
    public let recipes: Int
    /// The ingredients of all recipes.
    public let ingredients: Int
    /// The steps of all recipes.
    public let steps: Int
    /// The recipes with a rating.
    public let rated: Int
    /// The recipes that somebody cooked.
    public let completed: Int

    /// Collects the numbers.
    public init(recipes: Int, ingredients: Int, steps: Int, rated: Int, completed: Int) {
        self.recipes = recipes
        self.ingredients = ingredients
        self.steps = steps
        self.rated = rated
        self.completed = completed
    }
}
