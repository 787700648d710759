/// An entity to generate.
struct Entity: Equatable {
    let name: EntityName
    let fields: [Field]
    /// Whether anonymous callers read the entities, and all callers follow their changes.
    let isPublic: Bool
    /// The operations over HTTP that have a route.
    let verbs: [String]
    /// The table that was adopted; `nil` for an entity of `make entity`.
    let source: String?
    /// The groups of fields that are unique together.
    let uniques: [[String]]
    /// Whether it is a value object of an entity, without an id.
    private(set) var isValue = false
    static let allVerbs = ["list", "create", "read", "replace", "patch", "delete"]

    /// - Parameter verbs: Some of ``allVerbs``, separated by spaces; `nil` for all.
    init(
        _ name: EntityName, _ fields: [Field], isPublic: Bool = false, verbs: String? = nil, from source: String? = nil,
        uniques: [[String]] = []
    ) throws {
        (self.name, self.isPublic, self.source, self.uniques) = (name, isPublic, source, uniques)
        self.fields = fields.map { field in
            var field = field
            field.isAdopted = source != nil
            return field
        }
        let words = verbs?.split(separator: " ").map(String.init) ?? Self.allVerbs
        if let unknown = words.first(where: { !Self.allVerbs.contains($0) }) {
            throw Refusal("invalid verb '\(unknown)': use \(Self.allVerbs.joined(separator: ", "))")
        }
        self.verbs = Self.allVerbs.filter(words.contains)
        for object in objects where object.name.type == name.type || object.name.plural == name.plural {
            let kind = object.isValue ? "a value" : "an owned"
            throw Refusal("\(kind) object cannot have the name of its owner, \(name.type)")
        }
    }

    var fieldText: String { Field.text(fields) }

    /// The arguments of the command that adds it, as `docs/entities.md` records them.
    var record: String {
        "`\(fieldText)`" + (isPublic ? ", public" : "") + (hasAllVerbs ? "" : ", verbs \(verbText)")
            + (source.map { ", table `\($0)`" } ?? "")
            + uniques.map { ", unique \($0.joined(separator: " "))" }.joined()
    }

    var verbText: String { verbs.joined(separator: " ") }
    var hasAllVerbs: Bool { verbs == Self.allVerbs }

    /// The owned objects and the value objects, with their fields.
    var objects: [Entity] {
        fields.compactMap { field in
            switch field.kind {
            case .objects(let type, let fields), .value(let type, let fields):
                var object = try? Entity(EntityName(type), fields)
                object?.isValue = !field.isList
                return object
            default: return nil
            }
        }
    }

    /// The types that the files declare.
    var types: [String] {
        let own = ["", "Policy", "Mapper", "Resource", "Tests"].map { name.type + $0 }
        let enums = (fields + objects.flatMap(\.fields)).compactMap(\.choice?.type)
        return own + [name.plural, name.plural + "Command"] + enums
            + objects.flatMap { [$0.name.type, $0.name.type + "Mapper"] }
    }

    /// The field by which lists are sorted: the first text that is always present.
    var sortField: Field? {
        if isValue { return nil }
        let texts = fields.filter { $0.kind == .string && !$0.isOptional }
        // A column of texts of any length has no index, of which databases limit the entries.
        return source == nil ? texts.first : texts.first { $0.isUnique || ["name", "title"].contains($0.name) }
    }

    /// An entity as `docs/entities.md` records it.
    static func recorded(_ type: Substring, _ plural: Substring, _ rest: Substring) throws -> Entity? {
        let form = /`([^`]+)`(, public)?(?:, verbs ([a-z ]+))?(?:, table `([^`]+)`)?((?:, unique [A-Za-z0-9 ]+)*)/
        guard let match = rest.wholeMatch(of: form) else { return nil }
        let uniques = match.5.split(separator: ", unique ").map { $0.split(separator: " ").map(String.init) }
        return try Entity(
            EntityName(String(type), plural: String(plural)), Field.list(String(match.1), of: String(type)),
            isPublic: match.2 != nil, verbs: match.3.map(String.init), from: match.4.map(String.init),
            uniques: uniques)
    }

    /// The files and their texts.
    func files(_ prefix: String) -> [(path: String, text: String)] {
        var files = [
            ("Domain/\(name.type).swift", domain()),
            ("Domain/\(name.plural).swift", repository()),
            ("Domain/\(name.type)Policy.swift", policy()),
            ("Data/\(name.type)Mapper.swift", mapper(prefix)),
            ("App/\(name.type)Resource.swift", resource(prefix)),
            ("App/\(name.plural)Command.swift", command(prefix)),
            ("Tests/\(name.type)Tests.swift", tests(prefix)),
        ]
        for object in objects {
            files.append(("Domain/\(object.name.type).swift", object.domain(owner: name)))
            files.append(("Data/\(object.name.type)Mapper.swift", object.mapper(prefix)))
        }
        return files.map { ($0.0, Imports.sorted(in: $0.1)) }
    }

    /// The lines in the lists of the service.
    var lists: [(path: String, start: String, line: String)] {
        let entities = "App/Entities.swift"
        return [
            (entities, "static let mappers:", "        \(name.type)Mapper.self,"),
            (entities, "static let resources:", "        \(name.type)Resource.self,"),
            (entities, "static let commands:", "        \(name.plural)Command.self,"),
            (entities, "PolicySet([", "            \(name.type)Policy(caller),"),
            ("docs/entities.md", "|---|---|---|", "| \(name.type) | \(name.plural) | \(record) |"),
        ]
    }
}
