extension Field {
    static let kinds: [String: Kind] = [
        "String": .string, "Int": .int, "Double": .double, "Bool": .bool, "Day": .day, "Instant": .instant,
        "Bytes": .bytes,
    ]

    /// Names that the generated code uses for something else.
    static let taken: Set = [
        "id", "limits", "check", "old", "scope", "fields", "manager", "options", "init", "self", "store", "config",
        "durability", "caller", "help", "version", "ids", "run", "container", "configuration", "program", "main",
        "validate",
    ]

    /// Parses a list of fields, separated by spaces.
    ///
    /// - Parameter owner: The type that has the fields.
    /// - Throws: `Refusal` that names the invalid field.
    static func list(_ text: String, of owner: String) throws -> [Field] {
        let fields = try pieces(of: text).map { try Field($0, of: owner) }
        guard !fields.isEmpty else { throw Refusal("no fields: write FIELDS='title:String pages:Int?'") }
        var names: Set<String> = []
        for field in fields where !names.insert(field.name).inserted {
            throw Refusal("the field '\(field.name)' is repeated")
        }
        var columns: Set<String> = []
        for field in fields {
            for column in field.columns where !columns.insert(column).inserted {
                throw Refusal("the column '\(column)' of the field '\(field.name)' is repeated: rename the field")
            }
        }
        return fields
    }

    /// Splits at spaces outside brackets.
    static func pieces(of text: String) throws -> [String] {
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

    private init(_ text: String, of owner: String) throws {
        guard let colon = text.firstIndex(of: ":") else {
            throw Refusal("invalid field '\(text)': write name:Type, such as pages:Int?")
        }
        let rest = text[text.index(after: colon)...]
        // The type comes first, and may have commas in brackets.
        guard let match = rest.wholeMatch(of: /(.+?)(\?)?(?:=([^,=()\[\]]+))?((?:,(?:unique|readonly))*)/) else {
            throw Refusal("invalid field '\(text)': write name:Type, such as pages:Int?")
        }
        name = String(text[..<colon])
        isOptional = match.2 != nil
        initial = match.3.map(String.init)
        isUnique = match.4.contains("unique")
        isReadOnly = match.4.contains("readonly")
        guard name.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil, !Self.taken.contains(name), !Keywords.all.contains(name)
        else {
            throw Refusal(
                "invalid field name '\(name)': write a lower-case letter, then letters and digits; no keyword, and no "
                    + "name of the generated code (\(Self.taken.sorted().joined(separator: ", ")))")
        }
        kind = try Self.kind(String(match.1), of: text, enumeration: owner + name.capitalizedFirst)
        let rules = Self.rules(of: match.1)
        isLater = rules.contains("later")
        onDelete = rules.first { $0 != "later" }
        if let problem { throw Refusal("invalid field '\(text)': \(problem)") }
    }

    private static func kind(_ type: String, of text: String, enumeration: String) throws -> Kind {
        if let kind = kinds[type] { return kind }
        if let match = type.wholeMatch(of: /enum\((.*)\)/) {
            let cases = match.1.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
            for word in cases where word.wholeMatch(of: /[a-z][A-Za-z0-9]*/) == nil || Keywords.all.contains(word) {
                throw Refusal("invalid field '\(text)': '\(word)' cannot be a case of an enum")
            }
            guard !cases.isEmpty, Set(cases).count == cases.count else {
                throw Refusal("invalid field '\(text)': an enum needs cases, each once, such as enum(good,worn)")
            }
            return .choice(enumeration, cases)
        }
        if let match = type.wholeMatch(of: /Decimal(?:\((.*)\))?/) {
            guard let scale = (0...9).first(where: { match.1 == "\($0)" }) else {
                throw Refusal(
                    "invalid field '\(text)': a decimal has 0 to 9 digits after the point, such as Decimal(2)")
            }
            return .decimal(scale)
        }
        if let match = type.wholeMatch(of: /ref\((\w+)(?:,(?:cascade|refuse|remove|later))*\)/) {
            return .reference(try EntityName(String(match.1)).type)
        }
        if let match = type.wholeMatch(of: /many\((\w+)\)/) { return .links(try EntityName(String(match.1)).type) }
        if let match = type.wholeMatch(of: /\[(\w+)(?:\((.*)\))?\]/) {
            let name = try EntityName(String(match.1)).type
            let fields = try list(match.2.map(String.init) ?? "text:String", of: name)
            for field in fields where !field.isPlain {
                throw Refusal(
                    "invalid field '\(text)': owned objects have values that clients set, not '\(field.description)'")
            }
            return .objects(name, fields)
        }
        if let match = type.wholeMatch(of: /([A-Z]\w*)\((.+)\)/) {
            let fields = try list(String(match.2), of: EntityName(String(match.1)).type)
            for field in fields where !field.isPlain || field.initial != nil {
                throw Refusal(
                    "invalid field '\(text)': a value object has values without default that clients set, not "
                        + "'\(field.description)'")
            }
            return .value(String(match.1), fields)
        }
        // Only adopted entities have bytes: no option can set them.
        let names = kinds.keys.filter { $0 != "Bytes" }.sorted().joined(separator: ", ")
        throw Refusal(
            "invalid type in '\(text)': use \(names), Decimal(2), enum(a,b), ref(Entity), many(Entity), [Object] or "
                + "Value(a:String b:Int?); then ? or =default; then ,unique or ,readonly")
    }

    /// The words after the entity of a reference.
    private static func rules(of type: Substring) -> [String] {
        guard let match = type.wholeMatch(of: /ref\(\w+,([a-z,]+)\)/) else { return [] }
        return match.1.split(separator: ",").map(String.init)
    }

    /// Whether an owned object or a value object can have the field.
    private var isPlain: Bool {
        !isList && target == nil && parts.isEmpty && !isUnique && !isReadOnly && kind != .bytes
    }

    /// Why the parts of the field do not fit together; `nil` if they do.
    private var problem: String? {
        if isList, isOptional { return "a list is not optional" }
        if initial != nil, isOptional { return "an optional field has no default" }
        if initial != nil, !isValidDefault { return "its type has no such default" }
        if onDelete == "remove", !isOptional { return "only an optional reference can be removed" }
        if isUnique {
            switch kind {
            case .string, .int, .decimal, .reference: break
            default: return "only String, Int, Decimal and ref can be unique"
            }
            if initial != nil { return "a unique field has no default" }
            // Errors name the member of a column without `_id`, which only references have.
            if target == nil, EntityName.words(name).last == "id" {
                return "a unique field other than a reference cannot end with ID: write \(name.dropLast(2))Key"
            }
        }
        if isReadOnly {
            if case .objects = kind { return "owned objects cannot be read-only: edit the resource instead" }
            if isRequired { return "a read-only field must be optional, or have a default" }
        }
        return nil
    }

    private var isValidDefault: Bool {
        guard let initial else { return true }
        return switch kind {
        case .string: initial.wholeMatch(of: /[A-Za-z0-9._-]{1,200}/) != nil
        case .int, .decimal: Int(initial).map { (0...1_000_000).contains($0) && String($0) == initial } ?? false
        case .double: initial.wholeMatch(of: /\d{1,9}(\.\d{1,9})?/) != nil
        case .bool: ["true", "false"].contains(initial)
        case .choice(_, let cases): cases.contains(initial)
        default: false
        }
    }
}
