internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

/// What every resource of the program has: no filter, and the manager as its scope.
protocol ProofResource: Resource where Scope == any PersistencyManager, Filter == Query<Model> {
    static var mapping: Mapping<Model> { get }
    static func query() -> Query<Model>
    static func members(of entity: Model) -> [JSON.Member]
}

private struct Repository<Model: Entity>: EntityRepository {
    let manager: any PersistencyManager
}

let ids = UUIDv7Generator()

extension ProofResource {
    static var isPrivate: Bool { false }

    static func repository(in manager: any PersistencyManager) -> any EntityRepository<Model> {
        Repository<Model>(manager: manager)
    }

    static func filter(from parameters: inout QueryParameters) -> Query<Model> { query() }

    static func represent(_ items: [Stored<Model>], in manager: any PersistencyManager) -> [Representation] {
        items.map { item in
            let id = JSON.Member("id", .string(item.id.description))
            return Representation(json: .object([id] + members(of: item.entity) + [.createdAt(item.id)]))
        }
    }
}

enum AccountResource: ProofResource {
    static let name = "accounts"
    static let mapping = AccountMapper.mapping
    static let members: [ResourceMember] = [
        .id, .init("name", .text(100), .required), .init("isOperator", .flag, .defaulted), .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(mapping.schema, members: members)
    static let isPrivate = true

    static func query() -> Query<Account> { Query(sort: [Sort(\.name)]) }

    static func members(of account: Account) -> [JSON.Member] {
        [.init("name", .string(account.name)), .init("isOperator", .bool(account.isOperator))]
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Account?, in _: any PersistencyManager
    ) throws(InvalidFields) -> Account {
        let name = fields.requiredText("name", atMost: 100)
        let isOperator = fields.bool("isOperator") ?? false
        return Account(id: old?.id ?? ids.next(), name: try fields.check(name), isOperator: isOperator)
    }
}

enum LabelResource: ProofResource {
    static let name = "labels"
    static let mapping = LabelMapper.mapping
    static let members = [.id, ResourceMember("name", .text(100), .required), .createdAt]
    static let fingerprint = SchemaFingerprint(mapping.schema, members: members)

    static func query() -> Query<Label> { Query(sort: [Sort(\.name)]) }

    static func members(of label: Label) -> [JSON.Member] { [.init("name", .string(label.name))] }

    static func entity(
        from fields: inout JSONFields, replacing old: Label?, in _: any PersistencyManager
    ) throws(InvalidFields) -> Label {
        let name = fields.requiredText("name", atMost: 100)
        return Label(id: old?.id ?? ids.next(), name: try fields.check(name))
    }
}

enum EventResource: ProofResource {
    static let name = "events"
    static let verbs: Set<ResourceVerb> = [.list, .read]
    static let mapping = EventMapper.mapping
    static let members: [ResourceMember] = [
        .id, .init("item", .id, .optionalReadOnly), .init("at", .instant, .readOnly), .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(mapping.schema, members: members)

    static func query() -> Query<Event> { Query(sort: [Sort(\.at)]) }

    static func members(of event: Event) -> [JSON.Member] {
        [
            .init("item", event.item.map { .string($0.description) } ?? .null),
            .init("at", .string(event.at.description)),
        ]
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Event?, in _: any PersistencyManager
    ) throws(InvalidFields) -> Event {
        try fields.check(old)
    }
}

enum ItemResource: ProofResource {
    static let name = "items"
    static let mapping = ItemMapper.mapping
    static let members: [ResourceMember] = [
        .id, .init("code", .text(100), .optional), .init("name", .text(200), .required),
        .init("summary", .text(10_000), .optional), .init("rating", .integer(0...5), .defaulted),
        .init("uses", .integer(0...1_000_000_000), .readOnly),
        .init(
            "parts",
            .objects("Part", atMost: 100, [.init("id", .partID, .defaulted), .init("text", .text(10_000), .required)]),
            .defaulted),
        .init("labels", .list(of: .id, atMost: 100, isSet: true), .defaulted), .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(mapping.schema, members: members)

    static func query() -> Query<Item> { Query(sort: [Sort(\.name)]) }

    static func members(of item: Item) -> [JSON.Member] {
        [
            .init("code", item.code.map(JSON.string) ?? .null), .init("name", .string(item.name)),
            .init("summary", item.summary.map(JSON.string) ?? .null), .init("rating", .integer(Int64(item.rating))),
            .init("uses", .integer(Int64(item.uses))), .init("parts", .array(item.parts.map(shown))),
            .init("labels", .array(item.labels.map { .string($0.description) })),
        ]
    }

    private static func shown(_ part: Part) -> JSON {
        .object([.init("id", .string(part.id.description)), .init("text", .string(part.text))])
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Item?, in _: any PersistencyManager
    ) throws(InvalidFields) -> Item {
        let code = fields.text("code", atMost: 100)
        let name = fields.requiredText("name", atMost: 200)
        let summary = fields.text("summary", atMost: 10_000)
        let rating = fields.integer("rating") ?? 0
        if !(0...5).contains(rating) { fields.note("rating", "must be 0 to 5") }
        let known = Set((old?.parts ?? []).map(\.id))
        let parts = fields.objects("parts") { fields -> Part? in
            let id = fields.id("id", of: Part.self).flatMap { known.contains($0) ? $0 : nil }
            return fields.requiredText("text", atMost: 10_000).map { Part(id: id ?? ids.next(), text: $0) }
        }
        let labels = fields.ids("labels", of: Label.self)
        for (name, list) in [("parts", parts?.map(\.id.rawValue)), ("labels", labels?.map(\.rawValue))] {
            guard let list, list.count > 100 || Set(list).count < list.count else { continue }
            fields.note(name, "must have at most 100 elements, none twice")
        }
        return Item(
            id: old?.id ?? ids.next(), code: code, name: try fields.check(name), summary: summary, rating: rating,
            uses: old?.uses ?? 0, file: old?.file, parts: parts ?? [], labels: labels ?? [])
    }
}

extension JSONFields {
    /// A text in normalization form C that is not blank; `nil` if it is absent or invalid.
    mutating func text(_ name: String, atMost limit: Int) -> String? {
        string(name).flatMap { checked($0, name, atMost: limit) }
    }

    /// As ``text(_:atMost:)``; absence is invalid.
    mutating func requiredText(_ name: String, atMost limit: Int) -> String? {
        requiredString(name).flatMap { checked($0, name, atMost: limit) }
    }

    mutating func checked(_ text: String, _ name: String, atMost limit: Int) -> String? {
        do throws(TextRefusal) {
            let composed = try text.composed(atMost: limit)
            if !composed.utf8.contains(0), composed.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) {
                return composed
            }
            note(name, "must not be blank or contain U+0000")
        } catch {
            note(name, error.description)
        }
        return nil
    }
}
