/// Words in the forms in which texts have them, each with the form in which it is searched, written by hand.
enum Vocabulary {
    static let words: [(written: String, searched: String)] = [
        ("bread", "bread"), ("Bread,", "bread"), ("BREADS", "breads"), ("br", "br"), ("crème", "creme"),
        ("cre\u{300}me", "creme"), ("CREME!", "creme"), ("creamy", "creamy"), ("Straße", "strasse"),
        ("STRASSE", "strasse"), ("stra\u{AD}sse", "strasse"), ("Øl", "ol"), ("(ol)", "ol"), ("42", "42"), ("4", "4"),
        ("4\u{663}", "4\u{663}"), ("東", "東"), ("京", "京"), ("ハ\u{309A}ン", "パン"), ("ハン", "ハン"),
        ("a\u{301}\u{327}\u{323}b", "ab"), ("a\u{323}\u{327}\u{301}b", "ab"), ("Ёлка", "елка"), ("елка", "елка"),
        ("ΟΔΟΣ", "οδοσ"), ("οδός", "οδοσ"), ("한국", "한국"),
        (String(repeating: "long", count: 12), String(repeating: "long", count: 10)), ("🥖", ""), ("—", ""), ("*", ""),
    ]

    /// A word of a search.
    struct Word: Hashable {
        let text: String
        let isPrefix: Bool

        /// Whether it matches a searched form. Compares scalars: characters would join a letter with marks.
        func matches(_ form: String) -> Bool {
            isPrefix
                ? form.unicodeScalars.starts(with: text.unicodeScalars)
                : form.unicodeScalars.elementsEqual(text.unicodeScalars)
        }
    }
}
