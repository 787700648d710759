internal import CookbookDomain
internal import LarderDomain

/// A recipe as programs read it from `--json`.
struct RecipeView: Encodable {
    struct StepView: Encodable {
        let text: String
        let timerSeconds: Int?
    }

    struct IngredientView: Encodable {
        let text: String
        let quantity: Double?
        let unit: String?
    }

    let id: String
    let version: Int64
    let identifier: String
    let name: String
    let summary: String?
    let author: String?
    let published: String?
    let difficulty: Int
    let rating: Int
    let preparationMinutes: Int?
    let cookingMinutes: Int?
    let yield: String?
    let completed: Bool
    let createdAt: String
    /// The owner's e-mail, where it may be seen.
    let owner: String?
    let tags: [String]
    let ingredients: [IngredientView]
    let steps: [StepView]

    init(_ stored: Stored<Recipe>, tags: [Tag], owner: String?) {
        let recipe = stored.entity
        id = recipe.id.description
        version = stored.version
        identifier = recipe.outsideIdentifier
        name = recipe.name
        summary = recipe.summary
        author = recipe.author
        published = recipe.published?.description
        difficulty = recipe.difficulty
        rating = recipe.rating
        preparationMinutes = recipe.preparationMinutes
        cookingMinutes = recipe.cookingMinutes
        yield = recipe.yield
        completed = recipe.completed
        createdAt = recipe.createdAt.description
        self.owner = owner
        self.tags = tags.map(\.name)
        ingredients = recipe.ingredients.map { IngredientView(text: $0.text, quantity: $0.quantity, unit: $0.unit) }
        steps = recipe.steps.map { StepView(text: $0.text, timerSeconds: $0.timerSeconds) }
    }
}
