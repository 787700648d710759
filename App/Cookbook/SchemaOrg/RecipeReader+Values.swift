internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension RecipeReader {
    /// A text, an object with a name, the `@id` of an object of the document, or an array of these.
    mutating func author() -> String? {
        guard let value = take("author") else { return nil }
        var names: [String] = []
        for element in value.elements {
            let id = element["@id"]?.text ?? element.text
            let referred = element["name"] == nil ? id.flatMap(references.name(of:)) : nil
            if let name = line((referred.map(JSON.string) ?? element["name"]?.elements.first ?? element), of: "author")
            {
                names.append(name)
            } else if let id = element["@id"]?.text {
                note("author (no name of '\(id.prefix(80))' in the document)")
            } else if element != .string("") {
                note("author")
            }
            noteAll(of: element, but: ["name"], in: "author")
        }
        return names.isEmpty ? nil : fitted(names.joined(separator: ", "), Recipe.maximumLine, "author")
    }

    /// A calendar day; the time of day is ignored.
    mutating func day(_ key: String) -> CalendarDay? {
        guard let text = firstText(key) else { return nil }
        guard let day = CalendarDay(String(text.prefix(10))) else {
            note("\(key) (not a date: '\(text.prefix(40))')")
            return nil
        }
        if text.count > 10 { note("\(key) (time of day)") }
        return day
    }

    /// One text with commas, or an array of texts or of terms with a name.
    mutating func keywords() -> [String] {
        guard let value = take("keywords") else { return [] }
        var names: [String] = []
        for element in value.elements {
            let name = (element.text ?? element["name"]?.text).flatMap { line($0, of: "keywords") }
            noteAll(of: element, but: ["name"], in: "keywords")
            guard let name else {
                if element != .string("") { note("keywords") }
                continue
            }
            // A list in one text; as an element of an array, only if it cannot be one keyword.
            if case .string = value {
                names += Self.list(name)
            } else {
                names += isLonger(name, than: Tag.maximumName) ? Self.list(name) : [name]
            }
        }
        return fitted(names.filter { fits($0) }, Recipe.maximumTags, "keywords")
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").compactMap { String($0).trimmed }
    }

    private mutating func fits(_ keyword: String) -> Bool {
        guard isLonger(keyword, than: Tag.maximumName) else { return true }
        note("keywords (longer than \(Tag.maximumName) characters: '\(keyword.prefix(40))…')")
        return false
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
}
