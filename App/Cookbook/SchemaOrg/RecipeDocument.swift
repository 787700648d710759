internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// A recipe as a schema.org/Recipe object, one line of JSON. Parsing it returns an equal recipe.
struct RecipeDocument {
    private let exported: ExportRecipes.Exported

    init(_ exported: ExportRecipes.Exported) {
        self.exported = exported
    }

    /// The line, without its line ending; properties are sorted by name, so that equal recipes have equal bytes.
    func line() -> [UInt8] {
        let recipe = exported.recipe
        let hasMeasures = recipe.ingredients.contains { $0.quantity != nil || $0.unit != nil }
        return JSON.sorted([
            "@context": "https://schema.org",
            "@type": "Recipe",
            "identifier": recipe.outsideIdentifier,
            "name": recipe.name,
            "description": recipe.summary,
            "author": recipe.author.map { JSON.sorted(["@type": "Person", "name": $0]) },
            "datePublished": recipe.published,
            "prepTime": recipe.preparationMinutes.map { "PT\($0)M" },
            "cookTime": recipe.cookingMinutes.map { "PT\($0)M" },
            "recipeYield": recipe.yield,
            "keywords": exported.tags.isEmpty ? nil : exported.tags.map(\.name),
            "recipeIngredient": recipe.ingredients.isEmpty ? nil : recipe.ingredients.map(\.text),
            "recipeInstructions": recipe.steps.isEmpty ? nil : recipe.steps.enumerated().map(Self.step),
            OwnProperty.plainText: seemsToBeHTML ? true : nil,
            OwnProperty.difficulty: recipe.difficulty == Recipe.usualDifficulty ? nil : recipe.difficulty,
            OwnProperty.rating: recipe.rating == 0 ? nil : recipe.rating,
            OwnProperty.completed: recipe.completed ? true : nil,
            OwnProperty.measures: hasMeasures
                ? recipe.ingredients.map { JSON.sorted(["quantity": $0.quantity, "unit": $0.unit]) } : nil,
        ]).bytes()
    }

    /// Whether an import without ``OwnProperty/plainText`` would change a text.
    private var seemsToBeHTML: Bool {
        let recipe = exported.recipe
        let lines =
            [recipe.name, recipe.author, recipe.yield] + exported.tags.map(\.name) + recipe.ingredients.map(\.text)
        let texts = [recipe.summary] + recipe.steps.map(\.text)
        return lines.contains { $0.map { HTMLText($0).line != $0 } == true }
            || texts.contains { $0.map { HTMLText($0).text != $0 } == true }
    }

    private static func step(_ offset: Int, _ step: Step) -> JSON {
        .sorted([
            "@type": "HowToStep", "position": offset + 1, "text": step.text,
            "timeRequired": step.timerSeconds.map { "PT\($0)S" },
        ])
    }
}
