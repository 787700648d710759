internal import Foundation

extension FullRecipe {
    /// The recipe that a body describes. Parts of the old recipe keep their ids, other parts are new; without an old
    /// recipe, all ids are those of the body.
    init(_ body: RecipeBody, replacing old: FullRecipe?, tags: [NamedTag]) {
        let id = old?.recipe.id ?? body.id ?? newID()
        let knownSteps = old.map { Set($0.steps.map(\.id)) }
        let knownIngredients = old.map { Set($0.ingredients.map(\.id)) }
        func partID(_ id: String?, _ known: Set<String>?) -> String {
            if let id, known?.contains(id) ?? true { id } else { newID() }
        }
        let times = [body.preparationMinutes, body.cookingMinutes].compactMap(\.self)
        self.init(
            recipe: Recipe(
                id: id, version: old?.recipe.version ?? 1, name: body.name, foldedName: body.name.lowercased(),
                summary: body.summary, author: body.author, published: body.published,
                difficulty: body.difficulty ?? 3, rating: body.rating ?? 0,
                preparationMinutes: body.preparationMinutes, cookingMinutes: body.cookingMinutes,
                totalMinutes: times.isEmpty ? nil : times.reduce(0, +), yield: body.yield,
                completed: body.completed ?? false, photo: old?.recipe.photo, sourceIdentifier: body.sourceIdentifier,
                createdAt: old?.recipe.createdAt ?? body.createdAt ?? Date.now.ISO8601Format(), owner: body.owner),
            steps: (body.steps ?? []).enumerated().map { position, step in
                Step(
                    recipeID: id, position: position, id: partID(step.id, knownSteps), text: step.text,
                    timerSeconds: step.timerSeconds)
            },
            ingredients: (body.ingredients ?? []).enumerated().map { position, ingredient in
                Ingredient(
                    recipeID: id, position: position, id: partID(ingredient.id, knownIngredients),
                    text: ingredient.text, quantity: ingredient.quantity, unit: ingredient.unit,
                    brand: ingredient.brand)
            },
            tags: tags)
    }
}
