/// The names of an entity in code, tables, paths and texts.
struct EntityName: Equatable {
    /// `BookShelf`
    let type: String
    /// `BookShelves`
    let plural: String

    /// - Parameter plural: `nil` for the regular plural.
    init(_ type: String, plural: String? = nil) throws {
        for name in [type, plural].compactMap(\.self) where name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) == nil {
            throw Refusal("invalid name '\(name)': write an upper-case letter, then letters and digits, such as Book")
        }
        let variable = type.lowercasedFirst
        if Keywords.reserved.contains(variable) {
            throw Refusal("invalid name '\(type)': '\(variable)' is a keyword of Swift")
        }
        self.type = type
        self.plural = plural ?? Self.plural(of: type)
        if self.plural == type { throw Refusal("the plural of '\(type)' must differ from it: choose one with PLURAL") }
    }

    private static func plural(of word: String) -> String {
        if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
            return word.dropLast() + "ies"
        }
        return word + (["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) } ? "es" : "s")
    }

    /// `bookShelf`
    var variable: String { type.lowercasedFirst }
    /// `book_shelf`, the name of the table.
    var snake: String { Self.words(type).joined(separator: "_") }
    /// `book-shelves`, the collection in paths, and the command.
    var collection: String { Self.words(plural).joined(separator: "-") }
    /// `book shelf`
    var text: String { Self.words(type).joined(separator: " ") }
    /// `book shelves`
    var texts: String { Self.words(plural).joined(separator: " ") }
    /// `a book shelf`
    var one: String { ("aeio".contains(text.first ?? "b") ? "an " : "a ") + text }

    /// The words of a name, in lower case.
    static func words(_ name: String) -> [String] {
        name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1) \($0.2)" }.lowercased().split(separator: " ").map(String.init)
    }
}
