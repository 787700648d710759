public import LarderDomain

/// Keeps recipes, and answers what a cook asks about them.
public protocol RecipeRepository: EntityRepository where Model == Recipe {
    /// One page of the recipes that a filter lets through.
    func list(_ request: RecipeListRequest) async throws(PersistencyError) -> Page<Recipe>

    /// The recipes that came from these sources, in no particular order; one statement for all of them.
    func fromSources(_ sourceIdentifiers: [String]) async throws(PersistencyError) -> [Stored<Recipe>]

    /// Every recipe with a name, in any case; names are not unique.
    func named(_ name: String) async throws(PersistencyError) -> [Stored<Recipe>]
}
