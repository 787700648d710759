/// A field of an entity: `pages:Int?`.
struct Field: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case string, int, double, bool, day, instant
        /// The id of another entity: `author:ref(Author)`.
        case reference(String)
        /// The ids of other entities: `tags:many(Tag)`.
        case links(String)
        /// Owned objects, with their fields: `chapters:[Chapter(title:String)]`.
        case objects(String, [Field])
    }

    let name: String
    let kind: Kind
    let isOptional: Bool

    private static let kinds: [String: Kind] = [
        "String": .string, "Int": .int, "Double": .double, "Bool": .bool, "Day": .day, "Instant": .instant,
    ]

    /// Names that the generated code uses for something else.
    private static let taken: Set = [
        "id", "limits", "check", "old", "scope", "fields", "manager", "options", "init", "self",
    ]

    /// Parses a list of fields, separated by spaces.
    ///
    /// - Throws: `Refusal` that names the invalid field.
    static func list(_ text: String) throws -> [Field] {
        let fields = try pieces(of: text).map(Field.init(_:))
        guard !fields.isEmpty else { throw Refusal("no fields: write FIELDS='title:String pages:Int?'") }
        var names: Set<String> = []
        for field in fields where !names.insert(field.name).inserted {
            throw Refusal("the field '\(field.name)' is repeated")
        }
        return fields
    }

    /// Splits at spaces outside brackets.
    private static func pieces(of text: String) throws -> [String] {
        var (pieces, depth) = ([""], 0)
        for character in text {
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if character.isWhitespace, depth == 0 {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        guard depth == 0 else { throw Refusal("unbalanced brackets in '\(text)'") }
        return pieces.filter { !$0.isEmpty }
    }

    private init(_ text: String) throws {
        guard let colon = text.firstIndex(of: ":") else {
            throw Refusal("invalid field '\(text)': write name:Type, such as pages:Int?")
        }
        name = String(text[..<colon])
        var type = String(text[text.index(after: colon)...])
        isOptional = type.hasSuffix("?")
        if isOptional { type.removeLast() }
        guard name.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil, !Self.taken.contains(name), !Keywords.all.contains(name)
        else {
            throw Refusal(
                "invalid field name '\(name)': write a lower-case letter, then letters and digits; no keyword")
        }
        kind = try Self.kind(type, of: text)
        if isOptional, case .links = kind { throw Refusal("invalid field '\(text)': a list is not optional") }
        if isOptional, case .objects = kind { throw Refusal("invalid field '\(text)': a list is not optional") }
    }

    private static func kind(_ type: String, of text: String) throws -> Kind {
        if let kind = kinds[type] { return kind }
        if let match = type.wholeMatch(of: /ref\((\w+)\)/) { return .reference(try EntityName(String(match.1)).type) }
        if let match = type.wholeMatch(of: /many\((\w+)\)/) { return .links(try EntityName(String(match.1)).type) }
        if let match = type.wholeMatch(of: /\[(\w+)(?:\((.*)\))?\]/) {
            let fields = try list(match.2.map(String.init) ?? "text:String")
            for field in fields where field.isList || field.target != nil {
                throw Refusal("invalid field '\(text)': owned objects have values only, not '\(field.name)'")
            }
            return .objects(try EntityName(String(match.1)).type, fields)
        }
        let names = kinds.keys.sorted().joined(separator: ", ")
        throw Refusal("invalid type in '\(text)': use \(names), ref(Entity), many(Entity) or [Object]")
    }

    /// The entity to which it refers.
    var target: String? {
        switch kind {
        case .reference(let type), .links(let type): type
        default: nil
        }
    }

    var isList: Bool {
        switch kind {
        case .links, .objects: true
        default: false
        }
    }

    /// The text from which the field can be parsed again.
    var description: String {
        let type =
            switch kind {
            case .reference(let type): "ref(\(type))"
            case .links(let type): "many(\(type))"
            case .objects(let type, let fields): "[\(type)(\(fields.map(\.description).joined(separator: " ")))]"
            default: Self.kinds.first { $0.value == kind }?.key ?? ""
            }
        return "\(name):\(type)\(isOptional ? "?" : "")"
    }
}

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
