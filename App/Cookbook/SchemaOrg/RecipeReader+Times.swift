internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension RecipeReader {
    /// Preparation and cooking time. A recipe has no total: it is their sum. A total with one of them gives the other,
    /// and a total alone is the cooking time.
    mutating func times(into draft: inout RecipeDraft) {
        draft.preparationMinutes = minutes("prepTime")
        draft.cookingMinutes = minutes("cookTime")
        guard let total = minutes("totalTime") else { return }
        switch (draft.preparationMinutes, draft.cookingMinutes) {
        case (nil, nil):
            draft.cookingMinutes = total
            note("totalTime (stored as the cooking time)")
        case (let preparation?, nil) where total > preparation: draft.cookingMinutes = total - preparation
        case (nil, let cooking?) where total > cooking: draft.preparationMinutes = total - cooking
        case (let preparation, let cooking):
            if (preparation ?? 0) + (cooking ?? 0) != total { note("totalTime (not the sum of the other times)") }
        }
    }

    /// A duration in minutes, rounded up.
    private mutating func minutes(_ key: String) -> Int? {
        guard let value = take(key), let seconds = seconds(of: value, key) else { return nil }
        let minutes = (seconds / 60).rounded(.up)
        guard minutes >= 0, minutes <= Double(Recipe.maximumMinutes) else {
            note("\(key) (\(minutes < 0 ? "negative" : "longer than a year"))")
            return nil
        }
        if minutes * 60 != seconds { note("\(key) (seconds)") }
        return Int(minutes)
    }

    /// A duration in seconds: a text, a number of minutes, a `Duration`, or a quantity with a unit of time; `nil`, with
    /// a note, for anything else. Of several the first is used, of a range the maximum.
    mutating func seconds(of value: JSON, _ key: String) -> Double? {
        switch value {
        case .string(let text) where text.trimmed == nil: return nil
        case .string(let text):
            if let duration = ISODuration(text.trimmed ?? text) { return Double(duration.seconds) }
            if let number = Self.number(text) { return number * 60 }
        case .integer, .decimal, .number: return value.double.map { $0 * 60 }
        case .array(let elements):
            guard let first = elements.first else { return nil }
            if elements.count > 1 { note("\(key) (more than one)") }
            return seconds(of: first, key)
        case .object: return seconds(in: value, key)
        default: break
        }
        note(value.text.map { "\(key) (not a duration: '\($0.prefix(40))')" } ?? key)
        return nil
    }

    private mutating func seconds(in object: JSON, _ key: String) -> Double? {
        let names = ["@value", "value", "duration", "name", "text", "maxValue", "minValue"]
        guard let name = names.first(where: { object[$0] != nil }), let value = object[name] else {
            note(key)
            return nil
        }
        if name == "maxValue", let least = object["minValue"], least != value { note("\(key) (the minimum)") }
        noteAll(of: object, but: Set(names + ["unitText", "unitCode"]), in: key)
        let unit = (object["unitText"] ?? object["unitCode"])?.text?.lowercased()
        let number = value.double ?? value.text.flatMap(Self.number)
        guard let unit, let number else { return seconds(of: value, key) }
        guard let length = Self.units.first(where: { $0.names.contains(unit) })?.seconds else {
            note("\(key) (unit '\(unit.prefix(20))')")
            return nil
        }
        return number * length
    }

    /// A plain number in a text of ASCII digits.
    private static func number(_ text: String) -> Double? {
        let text = text.trimmed ?? text
        guard text.utf8.count < 20, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(text)
    }

    /// Units by their usual names and their codes of UN/CEFACT.
    private static let units: [(names: Set<String>, seconds: Double)] = [
        (["sec", "s", "second", "seconds"], 1), (["min", "mins", "m", "minute", "minutes"], 60),
        (["hur", "h", "hr", "hrs", "hour", "hours"], 3_600), (["day", "d", "days"], 86_400),
    ]
}
