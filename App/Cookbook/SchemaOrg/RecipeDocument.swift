internal import CookbookDomain
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A recipe as a schema.org/Recipe object, one line of JSON. Reading it back gives the same recipe.
struct RecipeDocument: Encodable {
    private struct Person: Encodable {
        let type = "Person"
        let name: String
        enum CodingKeys: String, CodingKey { case type = "@type", name }
    }

    private struct HowToStep: Encodable {
        let type = "HowToStep"
        let position: Int
        let text: String
        let timeRequired: String?
        enum CodingKeys: String, CodingKey { case type = "@type", position, text, timeRequired }
    }

    private struct Measure: Encodable {
        let quantity: Double?
        let unit: String?
    }

    private let exported: ExportRecipes.Exported

    init(_ exported: ExportRecipes.Exported) {
        self.exported = exported
    }

    private enum Key: String, CodingKey {
        case context = "@context"
        case type = "@type"
        case identifier, name, description, author, datePublished, prepTime, cookTime, recipeYield, keywords
        case recipeIngredient, recipeInstructions
        case difficulty = "larder:difficulty"
        case rating = "larder:rating"
        case completed = "larder:completed"
        case measures = "larder:measures"
    }

    func encode(to encoder: any Encoder) throws {
        let recipe = exported.recipe
        var json = encoder.container(keyedBy: Key.self)
        try json.encode("https://schema.org", forKey: .context)
        try json.encode("Recipe", forKey: .type)
        try json.encode(recipe.outsideIdentifier, forKey: .identifier)
        try json.encode(recipe.name, forKey: .name)
        try json.encodeIfPresent(recipe.summary, forKey: .description)
        try json.encodeIfPresent(recipe.author.map(Person.init), forKey: .author)
        try json.encodeIfPresent(recipe.published?.description, forKey: .datePublished)
        try json.encodeIfPresent(recipe.preparationMinutes.map { "PT\($0)M" }, forKey: .prepTime)
        try json.encodeIfPresent(recipe.cookingMinutes.map { "PT\($0)M" }, forKey: .cookTime)
        try json.encodeIfPresent(recipe.yield, forKey: .recipeYield)
        if !exported.tags.isEmpty { try json.encode(exported.tags.map(\.name), forKey: .keywords) }
        if !recipe.ingredients.isEmpty { try json.encode(recipe.ingredients.map(\.text), forKey: .recipeIngredient) }
        if !recipe.steps.isEmpty { try json.encode(steps, forKey: .recipeInstructions) }
        if recipe.difficulty != Recipe.usualDifficulty { try json.encode(recipe.difficulty, forKey: .difficulty) }
        if recipe.rating != 0 { try json.encode(recipe.rating, forKey: .rating) }
        if recipe.completed { try json.encode(true, forKey: .completed) }
        if recipe.ingredients.contains(where: { $0.quantity != nil || $0.unit != nil }) {
            let measures = recipe.ingredients.map { Measure(quantity: $0.quantity, unit: $0.unit) }
            try json.encode(measures, forKey: .measures)
        }
    }

    private var steps: [HowToStep] {
        exported.recipe.steps.enumerated().map { offset, step in
            HowToStep(
                position: offset + 1, text: step.text, timeRequired: step.timerSeconds.map { "PT\($0)S" })
        }
    }

    /// The line, without its end; properties in the order of their names, so that equal recipes give equal bytes.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}
