internal import CookbookDomain
internal import LarderDomain

struct RecipeText {
    let recipe: Recipe
    let tags: [Tag]
    /// The owner's e-mail, if visible.
    let owner: String?

    var lines: [String] {
        var lines = [recipe.name]
        if let summary = recipe.summary { lines += [""] + Self.lines(of: summary) }
        lines.append("")
        for (title, value) in facts { lines.append("\(title): \(value)") }
        if !recipe.ingredients.isEmpty { lines += ["", "Ingredients"] + recipe.ingredients.map { "  - \($0.text)" } }
        if !recipe.steps.isEmpty { lines += ["", "Steps"] }
        for (offset, step) in recipe.steps.enumerated() {
            let text = "  \(offset + 1). \(step.text)" + (step.timerSeconds.map { " [timer: \($0) s]" } ?? "")
            lines += Self.lines(of: text)
        }
        return lines
    }

    /// The lines of a multi-line text; a line break in any other text is escaped.
    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private var facts: [(String, String)] {
        let all: [(String, String?)] = [
            ("Author", recipe.author),
            ("Published", recipe.published?.description),
            ("Preparation", recipe.preparationMinutes.map { "\($0) min" }),
            ("Cooking", recipe.cookingMinutes.map { "\($0) min" }),
            ("Yield", recipe.yield),
            ("Difficulty", "\(recipe.difficulty) of 5"),
            ("Rating", recipe.rating == 0 ? "none yet" : "\(recipe.rating) of 5"),
            ("Cooked", recipe.completed ? "yes" : "not yet"),
            ("Tags", tags.isEmpty ? nil : tags.map(\.name).joined(separator: ", ")),
            ("Owner", owner),
            ("Identifier", recipe.outsideIdentifier),
            ("Id", recipe.id.description),
        ]
        return all.compactMap { title, value in value.map { (title, $0) } }
    }
}
