internal import CookbookDomain
internal import LarderApp

extension RecipeReader {
    /// An array of texts, or one text with an ingredient per line.
    mutating func ingredients() -> [RecipeDraft.IngredientDraft] {
        let measures = take(OwnProperty.measures)?.elements ?? []
        guard let value = take("recipeIngredient") ?? take("ingredients") else { return [] }
        var found: [RecipeDraft.IngredientDraft] = []
        for (index, element) in value.lines.enumerated() {
            guard let text = element.text ?? element["name"]?.text else {
                if element != .string("") { note("recipeIngredient") }
                continue
            }
            var ingredient = RecipeDraft.IngredientDraft(text: text)
            if measures.indices.contains(index) {
                ingredient.quantity = measures[index]["quantity"]?.double
                ingredient.unit = measures[index]["unit"]?.text
            }
            found.append(ingredient)
        }
        return found
    }

    /// One text with a step per line, or an array of texts, steps, and sections with steps.
    mutating func steps(in value: JSON?) -> [RecipeDraft.StepDraft] {
        var found: [RecipeDraft.StepDraft] = []
        for element in (value?.lines ?? []).inOrderOfPosition {
            switch element {
            case .object: found += steps(of: element)
            case .array: found += steps(in: element)
            default:
                if let text = element.text {
                    found.append(.init(text: text))
                } else if element != .string("") {
                    note("recipeInstructions")
                }
            }
        }
        return found
    }

    private mutating func steps(of object: JSON) -> [RecipeDraft.StepDraft] {
        let name = "recipeInstructions"
        if let list = object["itemListElement"], object["text"]?.text == nil {
            noteAll(of: object, but: ["@type", "position", "itemListElement", "numberOfItems"], in: name)
            return steps(in: list)
        }
        let texts = ["text", "description", "name"].compactMap { key in object[key]?.text.map { (key, $0) } }
        guard let (key, text) = texts.first else {
            note(name)
            return []
        }
        // A name that is a prefix of the text is redundant.
        let repeated = texts.filter { text.hasPrefix($0.1) }.map(\.0)
        var timer: Int?
        if let duration = object["timeRequired"]?.text { timer = ISODuration(duration)?.seconds }
        let known = Set(repeated + [key, "@type", "position"] + (timer == nil ? [] : ["timeRequired"]))
        noteAll(of: object, but: known, in: name)
        // A duration of zero means no timer.
        return [.init(text: text, timerSeconds: timer == 0 ? nil : timer)]
    }
}

extension JSON {
    /// The elements of an array, the lines of a text, or the value itself.
    fileprivate var lines: [JSON] {
        guard case .string(let text) = self else { return elements }
        return text.split(whereSeparator: \.isNewline).map { .string(String($0)) }
    }
}

extension [JSON] {
    /// Sorted by position, if every element has a different one; otherwise unchanged.
    fileprivate var inOrderOfPosition: [JSON] {
        let positions = compactMap { $0["position"]?.double }
        guard positions.count == count, Set(positions).count == count else { return self }
        return zip(positions, self).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
