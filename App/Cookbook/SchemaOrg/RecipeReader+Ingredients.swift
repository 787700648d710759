internal import CookbookDomain
internal import LarderApp

extension RecipeReader {
    private static let property = "recipeIngredient"

    /// An array of texts, of objects with a name and an amount, or of lists of these; or one text with an ingredient
    /// per line.
    mutating func ingredients() -> [RecipeDraft.IngredientDraft] {
        let measures = take(OwnProperty.measures)?.elements ?? []
        guard let value = take("recipeIngredient") ?? take("ingredients") else { return [] }
        var found: [RecipeDraft.IngredientDraft] = []
        for (index, element) in flattened(value, isWhole: true).enumerated() {
            guard var ingredient = ingredient(element) else {
                if element != .string("") { note(Self.property) }
                continue
            }
            if measures.indices.contains(index) {
                ingredient.quantity = measures[index]["quantity"]?.double
                ingredient.unit = measures[index]["unit"]?.text
            }
            found.append(ingredient)
        }
        return fitted(found, Recipe.maximumParts, Self.property)
    }

    /// The elements of nested lists; names of lists are not kept.
    private mutating func flattened(_ value: JSON, isWhole: Bool = false) -> [JSON] {
        switch value {
        case .string(let text) where isWhole: return lines(text, of: Self.property).map(JSON.string)
        case .array(let elements): return elements.flatMap { flattened($0) }
        case .object:
            if let item = value["item"], item.text == nil { return flattened(item) }
            guard let list = value["itemListElement"] else { return [value] }
            noteAll(of: value, but: ["itemListElement", "numberOfItems", "position"], in: Self.property)
            return flattened(list, isWhole: true)
        case .null: return isWhole ? [] : [.string("")]
        default: return [value]
        }
    }

    private mutating func ingredient(_ element: JSON) -> RecipeDraft.IngredientDraft? {
        guard case .object = element else {
            return line(element, of: Self.property).map { .init(text: fittedText($0)) }
        }
        let amounts = ["amount", "requiredQuantity", "quantity"]
        let amount = amounts.first { element[$0] != nil }
        let quantity = amount.flatMap { element[$0] }.map(Quantity.init)
        let own = Quantity(element)
        let unit = quantity?.unit ?? own.unit
        let names = ["name", "item", "ingredient", "description"]
        let name = names.first { element[$0]?.text != nil }
        let parts = [quantity?.text ?? own.text, unit, name.flatMap { element[$0]?.text }].compactMap(\.self)
        let isWhole = element["text"]?.text != nil
        guard let text = element["text"]?.text ?? (name == nil ? nil : parts.joined(separator: " ")) else { return nil }
        let used = Set([amount, name].compactMap(\.self) + ["text", "position"]).union(Quantity.members)
        noteAll(of: element, but: isWhole ? used.union(names) : used, in: Self.property)
        guard let whole = line(text, of: Self.property) else { return nil }
        var ingredient = RecipeDraft.IngredientDraft(text: fittedText(whole))
        ingredient.quantity = quantity == nil ? own.number : quantity?.number
        if ingredient.quantity != nil {
            ingredient.unit = unit.flatMap { line($0, of: Self.property) }
                .flatMap { isLonger($0, than: Ingredient.maximumUnit) ? nil : $0 }
        }
        return ingredient
    }

    private mutating func fittedText(_ text: String) -> String {
        fitted(text, Ingredient.maximumText, Self.property)
    }
}
