internal import CookbookDomain
internal import LarderDomain

/// A cooking session as programs read it from `--json`.
struct SessionView: Encodable {
    let id: String
    let startedAt: String
    /// The recipe's name; `nil` when the recipe is no more.
    let recipe: String?
    let recipeID: String?
    let repetitions: Int
    let createdAt: String?

    init(_ session: CookingSession, recipe: String?) {
        id = session.id.description
        startedAt = session.startedAt.description
        self.recipe = recipe
        recipeID = session.recipe?.description
        repetitions = session.repetitions
        createdAt = session.id.rawValue.creationTime?.description
    }
}

/// A recipe with the number of its cooking sessions, as programs read it from `--json`.
struct CookedCountView: Encodable {
    let recipe: String?
    let recipeID: String
    let sessions: Int

    init(_ count: CookedCount, name: String?) {
        recipe = name
        recipeID = count.recipe.description
        sessions = count.sessions
    }
}
