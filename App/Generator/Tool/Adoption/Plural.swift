/// The words of tables, which are often in the plural.
enum Plural {
    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "movies": "movie", "cookies": "cookie",
        "shelves": "shelf", "indices": "index", "matrices": "matrix", "series": "series", "species": "species",
        "news": "news", "analyses": "analysis", "leaves": "leaf", "media": "media", "data": "data",
    ]

    /// The singular of a word in lower case; the word itself if it seems to be one.
    static func singular(_ word: String) -> String {
        if let known = irregular[word] { return known }
        for end in ["us", "ss", "is"] where word.hasSuffix(end) { return word }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for end in ["sses", "shes", "ches", "xes", "zzes"] where word.hasSuffix(end) { return String(word.dropLast(2)) }
        if word.hasSuffix("uses"), !word.hasSuffix("ouses"), !word.hasSuffix("auses") {
            return String(word.dropLast(2))
        }
        return word.hasSuffix("s") && word.count > 2 ? String(word.dropLast()) : word
    }
}
