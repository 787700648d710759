import Foundation

/// A package that depends on the kit, with the entities that were added to it.
///
/// `docs/entities.md` records the fields of each entity, from which its files can be generated again.
struct Project {
    private static let record = "docs/entities.md"
    let root: URL
    private let name: ServiceName
    var prefix: String { name.prefix }
    let entities: [String: Entity]

    init(at root: URL) throws {
        self.root = root
        let manifest = (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
        guard let match = manifest.firstMatch(of: /name: "(\w+)Domain"/),
            let text = try? String(contentsOf: root.appending(path: Self.record), encoding: .utf8)
        else {
            throw Refusal(
                "'\(root.path)' is no service: it needs a Package.swift with a target …Domain, and \(Self.record)")
        }
        let program = (try? String(contentsOf: root.appending(path: "App/Program.swift"), encoding: .utf8)) ?? ""
        let command = manifest.firstMatch(of: /Package\(\s*name: "([^"]+)"/)?.1 ?? ""
        let title = program.firstMatch(of: /title: "([^"]*)"/)?.1 ?? ""
        name = ServiceName(prefix: String(match.1), command: String(command), title: String(title))
        var entities: [String: Entity] = [:]
        for match in text.matches(of: /(?m)^\| (\w+) \| (\w+) \| (`.+) \|$/) {
            guard let entity = try Entity.recorded(match.1, match.2, match.3) else { continue }
            entities[entity.name.type] = entity
        }
        self.entities = entities
    }

    /// Adds entities, or reports that they exist with the same fields.
    func add(_ arguments: Arguments) throws -> String {
        var plan = Plan(root: root)
        guard try add(try asked(arguments), to: &plan) else {
            return "All entities exist with these fields. Nothing changed."
        }
        return try plan.finish(isDry: arguments.flag("DRY"))
    }

    /// Adds the files of entities to a plan.
    ///
    /// - Returns: Whether one of them is new.
    @discardableResult
    func add(_ added: [Entity], to plan: inout Plan) throws -> Bool {
        var (known, names) = (entities, try Declarations(in: root))
        let types = Set(added.map(\.name.type))
        for entity in added {
            if let existing = known[entity.name.type] {
                guard existing == entity else {
                    let name = entity.name.type
                    throw Refusal(
                        "\(name) exists with other arguments (\(existing.record)): edit its files, or remove it first")
                }
                continue
            }
            try check(entity, known, types, &names)
            for (path, text) in entity.files(prefix) { try plan.create(path, text) }
            for list in entity.lists { try plan.insert(list.line, after: list.start, in: list.path) }
            known[entity.name.type] = entity
        }
        return known.count > entities.count
    }

    /// The entities of `NAME` and `FIELDS`, or of `ENTITIES`. The other arguments apply to all.
    private func asked(_ arguments: Arguments) throws -> [Entity] {
        func entity(_ name: EntityName, _ fields: String) throws -> Entity {
            try Entity(
                name, Field.list(fields, of: name.type), isPublic: arguments.flag("PUBLIC"), verbs: arguments["VERBS"])
        }
        guard let list = arguments["ENTITIES"] else {
            let name = try EntityName(arguments.required("NAME", "Book"), plural: arguments["PLURAL"])
            return [try entity(name, arguments.required("FIELDS", "'title:String pages:Int?'"))]
        }
        for name in ["NAME", "FIELDS", "PLURAL"] where arguments[name] != nil {
            throw Refusal("write either ENTITIES or \(name)")
        }
        return try Field.pieces(of: list).map { text in
            guard let match = text.wholeMatch(of: /(\w+)\((.*)\)/) else {
                throw Refusal("invalid entity '\(text)': write Name(fields), such as Book(title:String pages:Int?)")
            }
            return try entity(EntityName(String(match.1)), String(match.2))
        }
    }

    /// Removes an entity or the example, unless its files were edited.
    func remove(_ arguments: Arguments) throws -> String {
        let name = try arguments.required("NAME", "Book")
        var plan = Plan(root: root)
        let table: String
        if let entity = entities[name] {
            table = entity.name.snake
            try checkNobodyRefers(to: name)
            for (path, text) in entity.files(prefix) { plan.delete(path, text) }
            for list in entity.lists { plan.remove(list.line, from: list.path) }
        } else if name == Sample.name, FileManager.default.fileExists(atPath: root.appending(path: Sample.file).path) {
            table = Sample.table
            try checkNobodyRefers(to: name)
            try Sample.remove(from: &plan, self.name)
        } else {
            let known = entities.keys.sorted().joined(separator: ", ")
            throw Refusal("no entity '\(name)' was added; \(Self.record) lists: \(known)")
        }
        return try plan.finish(isDry: arguments.flag("DRY")) + """


            What stores contain of '\(table)' stays in them, and they open as before. To delete it, raise the version in \
            App/Entities.swift: SchemaEvolution(version: …, dropped: ["\(table)"]).
            """
    }

    private func checkNobodyRefers(to name: String) throws {
        let referring = entities.values.filter { $0.name.type != name && $0.fields.contains { $0.target == name } }
        guard referring.isEmpty else {
            let names = referring.map(\.name.type).sorted().joined(separator: ", ")
            throw Refusal("\(names) refers to \(name): remove that first")
        }
    }

    /// Refuses names that exist, and references to entities that do not.
    private func check(
        _ entity: Entity, _ known: [String: Entity], _ added: Set<String>, _ declared: inout Declarations
    ) throws {
        for type in entity.types {
            if let place = declared.place(of: type) { throw Refusal("the name \(type) exists: \(place) declares it") }
            declared.add(type, "this command")
        }
        for field in entity.fields {
            guard let target = field.target else { continue }
            if target == entity.name.type {
                guard field.isOptional || field.isList else {
                    throw Refusal(
                        "invalid field '\(field.description)': a reference to the entity itself must be optional")
                }
            } else if known[target] == nil, target != "User", !(field.isLater && added.contains(target)) {
                throw Refusal(
                    "invalid field '\(field.description)': add \(target) first. If it refers to \(entity.name.type), "
                        + "too, add one of the references by hand: see docs/extending.md of the kit")
            }
        }
    }
}
