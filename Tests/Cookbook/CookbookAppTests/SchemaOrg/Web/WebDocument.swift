import CookbookDomain
import LarderDomain

/// A document in a shape that web pages use, and the expected recipe.
struct WebDocument: CustomStringConvertible, Sendable {
    /// The shape, which is also the name of the recipe.
    let description: String
    let text: String
    /// The recipe as ``summary(of:)`` describes it, without its name.
    let recipe: String
    let notKept: [String]

    /// A document of several objects.
    init(_ shape: String, document: String, _ recipe: String, notKept: [String] = []) {
        (description, text, self.recipe, self.notKept) = (shape, document, recipe, notKept)
    }

    /// A recipe with these members.
    init(_ shape: String, _ members: String, _ recipe: String, notKept: [String] = []) {
        let text = #"{"@context": "https://schema.org", "@type": "Recipe", "name": "\#(shape)", \#(members)}"#
        self.init(shape, document: text, recipe, notKept: notKept)
    }

    static let all = authors + times + texts + steps + ingredients + yields + containers + limits

    /// All fields of a draft that has them, in a fixed order: `by Ada; 10+20 min; #sweet; - 1 egg; 1. Mix [60 s]`.
    static func summary(of draft: RecipeDraft) -> String {
        let ingredients = draft.ingredients.map { ingredient in
            let measure = [ingredient.quantity.map { "\($0)" }, ingredient.unit].compactMap(\.self)
            return "- \(ingredient.text)" + (measure.isEmpty ? "" : " [\(measure.joined(separator: " "))]")
        }
        let steps = draft.steps.enumerated().map { offset, step in
            "\(offset + 1). \(step.text)" + (step.timerSeconds.map { " [\($0) s]" } ?? "")
        }
        let (preparation, cooking) = (draft.preparationMinutes, draft.cookingMinutes)
        let times =
            preparation == nil && cooking == nil
            ? nil : "\(preparation.map(String.init) ?? "?")+\(cooking.map(String.init) ?? "?") min"
        let facts = [
            draft.author.map { "by \($0)" }, draft.summary, draft.published?.description, times,
            draft.yield.map { "yield \($0)" },
        ]
        return (facts.compactMap(\.self) + draft.tags.map { "#\($0)" } + ingredients + steps).joined(separator: "; ")
    }
}
