internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

/// The common properties of the program's resources: no filter, and the manager as the scope.
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
        let isOperator = fields.bool("isOperator") ?? false
        return Account(id: old?.id ?? ids.next(), name: try fields.name(of: Account.self), isOperator: isOperator)
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
        Label(id: old?.id ?? ids.next(), name: try fields.name(of: Label.self))
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
        let code = fields.string("code")
        let name = fields.requiredString("name")
        let summary = fields.string("summary")
        let rating = fields.integer("rating") ?? 0
        let known = Set((old?.parts ?? []).map(\.id))
        let parts = fields.objects("parts") { fields -> Part? in
            let id = fields.id("id", of: Part.self).flatMap { known.contains($0) ? $0 : nil }
            let text = fields.requiredString("text")
            return text.flatMap { text in
                fields.made { () throws(InvalidField) in
                    let text: String = try FieldCheck(Part.self).text(text, "text", atMost: 10_000)
                    return Part(id: id ?? ids.next(), text: text)
                }
            }
        }
        let labels = fields.ids("labels", of: Label.self) ?? []
        let item = name.flatMap { name in
            fields.made { () throws(InvalidField) in
                let check = FieldCheck(Item.self)
                try check.number(rating, "rating", in: 0...5)
                try check.distinct((parts ?? []).map(\.id), "parts", atMost: 100)
                try check.distinct(labels, "labels", atMost: 100)
                return Item(
                    id: old?.id ?? ids.next(), code: try check.text(code, "code", atMost: 100),
                    name: try check.text(name, "name", atMost: 200),
                    summary: try check.text(summary, "summary", atMost: 10_000), rating: rating, uses: old?.uses ?? 0,
                    file: old?.file, parts: parts ?? [], labels: labels)
            }
        }
        return try fields.check(item)
    }
}

extension JSONFields {
    fileprivate mutating func name(of type: any Entity.Type) throws(InvalidFields) -> String {
        let name = requiredString("name")
        return try check(
            name.flatMap { name in
                made { () throws(InvalidField) in try FieldCheck(type).text(name, "name", atMost: 100) as String }
            })
    }
}
