public import LarderDomain

/// Stores recipes, and runs the queries about them.
public protocol RecipeRepository: EntityRepository where Model == Recipe {
    /// One page of the recipes that satisfy a filter.
    func list(_ request: RecipeListRequest) async throws(PersistencyError) -> QueryPage<Recipe>

    /// One page of the recipes that satisfy a filter, as lines: reads no ingredients and steps.
    func lines(_ request: RecipeListRequest) async throws(PersistencyError) -> ReadModelPage<RecipeLine>

    /// The recipes from these sources, in any order, with one statement.
    func fromSources(_ sourceIdentifiers: [String]) async throws(PersistencyError) -> [Stored<Recipe>]

    /// All recipes with a name, in any case and with any diacritics; names are not unique.
    func named(_ name: String) async throws(PersistencyError) -> [Stored<Recipe>]

    /// Counts in the store, without loading recipes. The numbers may come from different commits.
    func counts() async throws(PersistencyError) -> RecipeCounts
}

/// The numbers of recipes and of their owned objects.
public struct RecipeCounts: Sendable, Equatable {
    /// The recipes.
    public let recipes: Int
    /// The ingredients of all recipes.
    public let ingredients: Int
    /// The steps of all recipes.
    public let steps: Int
    /// The recipes with a rating.
    public let rated: Int
    /// The recipes that have been cooked.
    public let completed: Int

    /// Makes the counts.
    public init(recipes: Int, ingredients: Int, steps: Int, rated: Int, completed: Int) {
        self.recipes = recipes
        self.ingredients = ingredients
        self.steps = steps
        self.rated = rated
        self.completed = completed
    }
}
