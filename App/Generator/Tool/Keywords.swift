/// The keywords of Swift.
enum Keywords {
    /// Reserved in every position.
    static let reserved: Set = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
    /// Also reserved in some positions of the generated code.
    static let all = reserved.union([
        "Type", "Protocol", "actor", "async", "await", "borrowing", "consuming", "each", "macro", "open", "package",
        "some",
    ])
}
