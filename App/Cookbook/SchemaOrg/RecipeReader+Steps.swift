internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension RecipeReader {
    private static let property = "recipeInstructions"

    /// One text with a step per line, or an array of texts, steps, and sections with steps.
    mutating func steps() -> [RecipeDraft.StepDraft] {
        guard let value = take(Self.property) else { return [] }
        return fitted(steps(in: value, isWhole: true), Recipe.maximumParts, Self.property)
    }

    private mutating func steps(in value: JSON, isWhole: Bool = false) -> [RecipeDraft.StepDraft] {
        switch value {
        case .object: return steps(of: value)
        case .array(let elements): return elements.inOrderOfPosition.flatMap { steps(in: $0) }
        case .string(let text):
            let plain = plain(text, of: Self.property)
            // The elements of an HTML list are steps.
            if isWhole || plain.hadMarkup { return lines(text, of: Self.property).map { step($0) } }
            return plain.text.trimmed.map { [step($0)] } ?? []
        case .null where isWhole: return []
        default:
            if let text = value.text { return [step(text)] }
            note(Self.property)
            return []
        }
    }

    private mutating func steps(of object: JSON) -> [RecipeDraft.StepDraft] {
        if let numbered = object.numberedMembers { return numbered.flatMap { steps(in: $0) } }
        if let item = object["item"] {
            noteAll(of: object, but: ["item", "position"], in: Self.property)
            return steps(in: item)
        }
        guard let key = ["itemListElement", "steps", "step"].first(where: { object[$0] != nil }), let list = object[key]
        else { return single(object).map { [$0] } ?? [] }
        let inner = steps(in: list, isWhole: true)
        let known: Set<String> = [key, "position", "numberOfItems"]
        guard object["text"]?.text != nil || object["description"]?.text != nil else {
            noteAll(of: object, but: known, in: Self.property)
            return inner
        }
        guard let own = single(object, besides: known) else { return inner }
        // The text of a step may repeat the directions that it consists of.
        let isRepeated =
            inner.count <= 20 && own.text.utf8.count <= 2_000 && inner.allSatisfy { own.text.contains($0.text) }
        return isRepeated ? [own] : [own] + inner
    }

    /// The step of an object with a text.
    private mutating func single(_ object: JSON, besides used: Set<String> = []) -> RecipeDraft.StepDraft? {
        let texts = ["text", "description", "name"].compactMap { key in object[key]?.text.map { (key, $0) } }
        guard let (key, source) = texts.first, let text = text(source, of: Self.property) else {
            if texts.isEmpty { note(Self.property) }
            return nil
        }
        // A name that is a prefix of the text is redundant.
        let repeated = texts.filter { source.hasPrefix($0.1) }.map(\.0)
        let timer = timer(object["timeRequired"])
        noteAll(of: object, but: used.union(repeated + [key, "position", "timeRequired"]), in: Self.property)
        return step(text, timer: timer)
    }

    /// A duration of zero means no timer.
    private mutating func timer(_ value: JSON?) -> Int? {
        let key = "\(Self.property).timeRequired"
        guard let value, value != .null, let seconds = seconds(of: value, key), seconds != 0 else { return nil }
        guard seconds > 0, seconds <= Double(Step.maximumTimer) else {
            note("\(key) (not 1 second to 30 days)")
            return nil
        }
        return Int(seconds.rounded(.up))
    }

    private mutating func step(_ text: String, timer: Int? = nil) -> RecipeDraft.StepDraft {
        .init(text: fitted(text, Step.maximumText, Self.property), timerSeconds: timer)
    }
}

extension JSON {
    /// The values of an object whose names are numbers (`{"1": …, "2": …}`), in their order; `nil` for other values.
    fileprivate var numberedMembers: [JSON]? {
        guard case .object(let members) = self else { return nil }
        let numbered = members.filter { !$0.name.hasPrefix("@") }.map { (Int($0.name), $0.value) }
        guard !numbered.isEmpty, numbered.allSatisfy({ $0.0 != nil }) else { return nil }
        return numbered.sorted { ($0.0 ?? 0) < ($1.0 ?? 0) }.map(\.1)
    }
}

extension [JSON] {
    /// Sorted by position, if every element has a different one; otherwise unchanged.
    fileprivate var inOrderOfPosition: [JSON] {
        let positions = compactMap { element in
            element["position"].flatMap { $0.double ?? $0.text.flatMap(Double.init) }
        }
        guard positions.count == count, Set(positions).count == count else { return self }
        return zip(positions, self).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
