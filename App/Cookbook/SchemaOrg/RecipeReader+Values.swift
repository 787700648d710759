internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension RecipeReader {
    /// A text, an object with a name, or an array of these.
    mutating func author() -> String? {
        guard let value = take("author") else { return nil }
        var names: [String] = []
        for element in value.elements {
            if let name = element.text ?? element["name"]?.text { names.append(name) } else { note("author") }
            noteAll(of: element, but: ["@type", "name"], in: "author")
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// A calendar day; the time of day is ignored.
    mutating func day(_ key: String) -> CalendarDay? {
        guard let text = text(key) else { return nil }
        guard let day = CalendarDay(String(text.prefix(10))) else {
            note("\(key) (not a date: '\(text.prefix(40))')")
            return nil
        }
        if text.count > 10 { note("\(key) (time of day)") }
        return day
    }

    /// A duration in minutes, rounded up.
    mutating func minutes(_ key: String) -> Int? {
        guard let text = text(key) else { return nil }
        guard let duration = ISODuration(text) else {
            note("\(key) (not a duration: '\(text.prefix(40))')")
            return nil
        }
        if duration.seconds % 60 != 0 { note("\(key) (seconds)") }
        return (duration.seconds + 59) / 60
    }

    /// The total time is not stored: it is preserved if it is the sum of the others.
    mutating func checkTotalTime(of draft: RecipeDraft) {
        guard let text = text("totalTime") else { return }
        // Durations in a file are unbounded; a total that overflows cannot be the sum.
        let parts = [draft.preparationMinutes ?? 0, draft.cookingMinutes ?? 0].map { Double($0) * 60 }
        if ISODuration(text).map({ Double($0.seconds) }) != parts[0] + parts[1] { note("totalTime") }
    }

    /// A number, a text, a quantity with a unit, or an array of these, of which the longest is the most specific.
    mutating func yield() -> String? {
        guard let value = take("recipeYield") else { return nil }
        var texts: [String] = []
        for element in value.elements {
            let parts = [element["value"]?.text, element["unitText"]?.text].compactMap(\.self)
            if let text = element.text ?? (parts.isEmpty ? nil : parts.joined(separator: " ")) {
                texts.append(text)
            } else if element != .string("") {
                note("recipeYield")
            }
        }
        guard let longest = texts.map({ (text: $0, count: $0.unicodeScalars.count) }).max(by: { $0.count < $1.count })
        else {
            return nil
        }
        // A longer text is refused, and searching it for all others would take far more time than parsing them.
        if longest.count <= 200, !texts.allSatisfy({ longest.text.contains($0) }) {
            note("recipeYield (more than one)")
        }
        return longest.text
    }

    /// One text with commas, or an array of texts or of terms with a name.
    mutating func keywords() -> [String] {
        guard let value = take("keywords") else { return [] }
        if case .string(let list) = value { return list.split(separator: ",").compactMap { String($0).trimmed } }
        var names: [String] = []
        for element in value.elements {
            if let name = element.text ?? element["name"]?.text { names.append(name) } else { note("keywords") }
        }
        return names
    }

    /// Larder's extension properties, for which schema.org has no term.
    mutating func judgement() -> RecipeDraft.Judgement {
        func whole(_ value: JSON?) -> Int? {
            value?.double.flatMap { Int(exactly: $0) }
        }
        var judgement = RecipeDraft.Judgement()
        judgement.difficulty = whole(take(OwnProperty.difficulty))
        judgement.rating = whole(take(OwnProperty.rating))
        if case .bool(let completed) = take(OwnProperty.completed) { judgement.completed = completed }
        return judgement
    }

    /// Notes the unsupported members of an object.
    mutating func noteAll(of object: JSON, but known: Set<String>, in name: String) {
        for key in object.names where !known.contains(key) { note("\(name).\(key)") }
    }
}

/// The names of extension properties.
enum OwnProperty {
    static let difficulty = "larder:difficulty"
    static let rating = "larder:rating"
    static let completed = "larder:completed"
    /// One object or null for each of `recipeIngredient`, with `quantity` and `unit`.
    static let measures = "larder:measures"
}
