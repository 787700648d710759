internal import CookbookDomain
internal import LarderApp

extension RecipeReader {
    /// A number, a text, a quantity with a unit, or an array of these, of which the longest is the most specific.
    mutating func yield() -> String? {
        guard let value = take("recipeYield") ?? take("yield") else { return nil }
        var texts: [String] = []
        for element in value.elements {
            if let text = yieldText(element) {
                texts.append(text)
            } else if element != .string("") {
                note("recipeYield")
            }
        }
        guard let longest = texts.map({ (text: $0, count: $0.unicodeScalars.count) }).max(by: { $0.count < $1.count })
        else {
            return nil
        }
        // A longer text is shortened, and searching it for all others would take far more time than parsing them.
        if longest.count <= Recipe.maximumLine, !texts.allSatisfy({ longest.text.contains($0) }) {
            note("recipeYield (more than one)")
        }
        return fitted(longest.text, Recipe.maximumLine, "recipeYield")
    }

    private mutating func yieldText(_ element: JSON) -> String? {
        guard case .object = element else { return line(element, of: "recipeYield") }
        let others = ["text", "name", "description"]
        let text = Quantity(element).whole ?? others.compactMap { element[$0]?.text }.first
        let used = Quantity(element).whole == nil ? Set(others) : []
        noteAll(of: element, but: Quantity.members.union(used), in: "recipeYield")
        return text.flatMap { line($0, of: "recipeYield") }
    }
}
