/// The words that Swift reserves in some position of the generated code.
enum Keywords {
    static let all: Set = [
        "Any", "Self", "Type", "Protocol", "actor", "as", "associatedtype", "async", "await", "borrowing", "break",
        "case",
        "catch", "class", "consuming", "continue", "default", "defer", "deinit", "do", "each", "else", "enum",
        "extension",
        "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
        "internal",
        "is", "let", "macro", "nil", "open", "operator", "package", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
