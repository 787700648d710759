internal import Hummingbird

/// The JSON of a recipe. It is encoded by hand, because a synthesized conformance omits members that are null.
struct RecipeView: ResponseEncodable, Sendable {
    let full: FullRecipe

    init(_ full: FullRecipe) { self.full = full }

    private enum Key: CodingKey {
        case id, name, summary, author, published, difficulty, rating, preparationMinutes, cookingMinutes, totalMinutes
        case yield, completed, photo, sourceIdentifier, createdAt, owner, steps, ingredients, tags
    }

    func encode(to encoder: any Encoder) throws {
        let recipe = full.recipe
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(recipe.id, forKey: .id)
        try members.encode(recipe.name, forKey: .name)
        try members.encode(recipe.summary, forKey: .summary)
        try members.encode(recipe.author, forKey: .author)
        try members.encode(recipe.published, forKey: .published)
        try members.encode(recipe.difficulty, forKey: .difficulty)
        try members.encode(recipe.rating, forKey: .rating)
        try members.encode(recipe.preparationMinutes, forKey: .preparationMinutes)
        try members.encode(recipe.cookingMinutes, forKey: .cookingMinutes)
        try members.encode(recipe.totalMinutes, forKey: .totalMinutes)
        try members.encode(recipe.yield, forKey: .yield)
        try members.encode(recipe.completed, forKey: .completed)
        try members.encode(recipe.photo.map { _ in "/v1/recipes/\(recipe.id)/photo" }, forKey: .photo)
        try members.encode(recipe.sourceIdentifier, forKey: .sourceIdentifier)
        try members.encode(recipe.createdAt, forKey: .createdAt)
        try members.encode(recipe.owner, forKey: .owner)
        try members.encode(full.steps.map(StepView.init), forKey: .steps)
        try members.encode(full.ingredients.map(IngredientView.init), forKey: .ingredients)
        try members.encode(full.tags.map { Tag(id: $0.id, name: $0.name) }, forKey: .tags)
    }
}

private struct StepView: Encodable {
    let step: Step

    private enum Key: CodingKey { case id, text, timerSeconds }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(step.id, forKey: .id)
        try members.encode(step.text, forKey: .text)
        try members.encode(step.timerSeconds, forKey: .timerSeconds)
    }
}

private struct IngredientView: Encodable {
    let ingredient: Ingredient

    private enum Key: CodingKey { case id, text, quantity, unit, brand }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(ingredient.id, forKey: .id)
        try members.encode(ingredient.text, forKey: .text)
        try members.encode(ingredient.quantity, forKey: .quantity)
        try members.encode(ingredient.unit, forKey: .unit)
        try members.encode(ingredient.brand, forKey: .brand)
    }
}

/// A page of recipes.
struct RecipePage: ResponseEncodable, Sendable {
    let items: [RecipeView]
    let next: String?
    let total: Int?

    private enum Key: CodingKey { case items, next, total }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(items, forKey: .items)
        try members.encode(next, forKey: .next)
        try members.encodeIfPresent(total, forKey: .total)
    }
}
