internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension RecipeReader {
    /// A property with one text; of several the first is used.
    mutating func firstText(_ key: String) -> String? {
        guard let value = take(key) else { return nil }
        let (first, text) = (value.elements.first, value.elements.first?.text)
        if text == nil, first != .string("") {
            note(key)
        } else if value.elements.count > 1 {
            note("\(key) (more than one)")
        }
        return text
    }

    /// A text without HTML, with its line breaks; `nil` for a blank text.
    mutating func text(_ source: String, of key: String) -> String? { plain(source, of: key).text.trimmed }

    /// A text without HTML, on one line; `nil` for a blank text.
    mutating func line(_ source: String, of key: String) -> String? {
        hasHTML ? plain(source, of: key).line.trimmed : source.trimmed
    }

    /// The text of a string or number on one line; `nil` for a blank text and other values.
    mutating func line(_ value: JSON?, of key: String) -> String? {
        value?.text.flatMap { line($0, of: key) }
    }

    /// The non-empty lines of a text without HTML.
    mutating func lines(_ source: String, of key: String) -> [String] {
        plain(source, of: key).text.split(whereSeparator: \.isNewline).compactMap { String($0).trimmed }
    }

    /// A text without HTML; notes the links and images in it.
    mutating func plain(_ source: String, of key: String) -> (text: String, line: String, hadMarkup: Bool) {
        guard hasHTML else { return (source, source, false) }
        let html = HTMLText(source)
        if !html.lost.isEmpty { note("\(key) (HTML: \(html.lost.sorted().joined(separator: ", ")))") }
        return (html.text, html.line, html.hadMarkup)
    }

    /// A text shortened to a number of code points.
    mutating func fitted(_ text: String, _ limit: Int, _ key: String) -> String {
        guard isLonger(text, than: limit) else { return text }
        note("\(key) (shortened to \(limit) characters)")
        let kept = text.canonicallyComposed.unicodeScalars.prefix(limit - 1)
        return (String(String.UnicodeScalarView(kept)).trimmed ?? "") + "…"
    }

    /// Whether a text has more code points than a limit, as entities count them.
    func isLonger(_ text: String, than limit: Int) -> Bool {
        // A code point has at least one byte.
        text.utf8.count > limit && text.canonicallyComposed.unicodeScalars.count > limit
    }

    /// The first elements of a list that is longer than a recipe permits.
    mutating func fitted<Element>(_ list: [Element], _ limit: Int, _ key: String) -> [Element] {
        guard list.count > limit else { return list }
        note("\(key) (after the first \(limit))")
        return Array(list.prefix(limit))
    }
}
