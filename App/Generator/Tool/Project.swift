import Foundation

/// A package that depends on the kit, with the entities that were added to it.
///
/// `docs/entities.md` records the fields of each entity, from which its files can be generated again.
struct Project {
    private static let record = "docs/entities.md"
    private let root: URL
    private let prefix: String
    private let entities: [String: Entity]

    init(at root: URL) throws {
        self.root = root
        let manifest = (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
        guard let match = manifest.firstMatch(of: /name: "(\w+)Domain"/),
            let text = try? String(contentsOf: root.appending(path: Self.record), encoding: .utf8)
        else {
            throw Refusal(
                "'\(root.path)' is no service: it needs a Package.swift with a target …Domain, and \(Self.record)")
        }
        prefix = String(match.1)
        var entities: [String: Entity] = [:]
        for match in text.matches(of: /(?m)^\| (\w+) \| (\w+) \| `(.+)`(, public)? \|$/) {
            let name = try EntityName(String(match.1), plural: String(match.2))
            entities[name.type] = try Entity(name, Field.list(String(match.3)), isPublic: match.4 != nil)
        }
        self.entities = entities
    }

    /// Adds an entity, or reports that it exists with the same fields.
    func add(_ arguments: Arguments) throws -> String {
        let name = try EntityName(arguments.required("NAME", "Book"), plural: arguments["PLURAL"])
        let fields = try Field.list(arguments.required("FIELDS", "'title:String pages:Int?'"))
        let entity = try Entity(name, fields, isPublic: arguments.flag("PUBLIC"))
        if let existing = entities[name.type] {
            guard existing == entity else {
                throw Refusal(
                    "\(name.type) exists with other arguments (\(existing.record)): edit its files, or remove it first")
            }
            return "\(name.type) exists with these fields. Nothing changed."
        }
        try check(entity)
        var plan = Plan(root: root)
        for (path, text) in entity.files(prefix) { try plan.create(path, text) }
        for list in entity.lists { try plan.insert(list.line, after: list.start, in: list.path) }
        return try plan.finish(isDry: arguments.flag("DRY"))
    }

    /// Removes an entity, unless its files were edited.
    func remove(_ arguments: Arguments) throws -> String {
        let name = try arguments.required("NAME", "Book")
        guard let entity = entities[name] else {
            let known = entities.keys.sorted().joined(separator: ", ")
            throw Refusal("no entity '\(name)' was added; \(Self.record) lists: \(known)")
        }
        let referring = entities.values.filter { $0.name.type != name && $0.fields.contains { $0.target == name } }
        guard referring.isEmpty else {
            let names = referring.map(\.name.type).sorted().joined(separator: ", ")
            throw Refusal("\(names) refers to \(name): remove that first")
        }
        var plan = Plan(root: root)
        for (path, text) in entity.files(prefix) { plan.delete(path, text) }
        for list in entity.lists { plan.remove(list.line, from: list.path) }
        return try plan.finish(isDry: arguments.flag("DRY"))
    }

    /// Refuses names that exist, and references to entities that do not.
    private func check(_ entity: Entity) throws {
        let declared = try Declarations(in: root)
        for type in entity.types {
            if let place = declared.place(of: type) { throw Refusal("the name \(type) exists: \(place) declares it") }
        }
        for field in entity.fields {
            guard let target = field.target else { continue }
            if target == entity.name.type {
                guard field.isOptional || field.isList else {
                    throw Refusal(
                        "invalid field '\(field.description)': a reference to the entity itself must be optional")
                }
            } else if entities[target] == nil, target != "User" {
                throw Refusal(
                    "invalid field '\(field.description)': add \(target) first, with 'make entity NAME=\(target)'")
            }
        }
    }
}
