internal import LarderData
internal import LarderDomain

/// A caller of the service.
struct Account: Entity {
    let id: EntityID<Account>
    var name: String
    var isOperator: Bool
}

enum AccountMapper: EntityMapper {
    static let mapping = Mapping<Account>(
        "account", id: \.id, [.column("name", \.name).unique, .column("is_operator", \.isOperator)])

    static func entity(from row: inout ObjectReader) throws -> Account {
        try Account(id: row.id(), name: row.next(), isOperator: row.next())
    }
}

/// A root that items link to.
struct Label: Entity {
    let id: EntityID<Label>
    var name: String
}

enum LabelMapper: EntityMapper {
    static let mapping = Mapping<Label>("label", id: \.id, [.column("name", \.name).unique])

    static func entity(from row: inout ObjectReader) throws -> Label { try Label(id: row.id(), name: row.next()) }
}

/// An aggregate with all features of aggregates.
struct Item: Entity {
    let id: EntityID<Item>
    /// The name in imports; unique.
    var code: String?
    var name: String
    var summary: String?
    var rating: Int
    /// The number of events that refer to the item.
    var uses: Int
    var file: EntityID<File>?
    var parts: [Part]
    var labels: [EntityID<Label>]
}

enum ItemMapper: EntityMapper {
    static let mapping = Mapping<Item>(
        "item", id: \.id,
        [
            .column("code", \.code).unique, .column("name", \.name).indexed, .column("summary", \.summary),
            .column("rating", \.rating), .column("uses", \.uses),
            .reference("file_id", \.file, onDelete: .remove, owned: true),
            .children("parts", \.parts, PartMapper.self), .links("labels", \.labels, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Item {
        try Item(
            id: row.id(), code: row.next(), name: row.next(), summary: row.next(), rating: row.next(),
            uses: row.next(), file: row.next(), parts: row.children(PartMapper.self), labels: row.links())
    }
}

/// A text that an item owns.
struct Part: Entity {
    let id: EntityID<Part>
    var text: String
}

enum PartMapper: EntityMapper {
    static let mapping = Mapping<Part>("part", id: \.id, [.column("text", \.text)])

    static func entity(from row: inout ObjectReader) throws -> Part { try Part(id: row.id(), text: row.next()) }
}

/// One use of an item.
struct Event: Entity {
    let id: EntityID<Event>
    var item: EntityID<Item>?
    var at: Timestamp
}

enum EventMapper: EntityMapper {
    static let mapping = Mapping<Event>(
        "event", id: \.id,
        [.reference("item_id", \.item, onDelete: .remove), .column("at", \.at).indexed])

    static func entity(from row: inout ObjectReader) throws -> Event {
        try Event(id: row.id(), item: row.next(), at: row.next())
    }
}

/// The bytes of an item's file, several megabytes, stored separately from the item.
struct File: Entity {
    let id: EntityID<File>
    var bytes: [UInt8]
}

enum FileMapper: EntityMapper {
    static let mapping = Mapping<File>("file", id: \.id, [.column("bytes", \.bytes)])

    static func entity(from row: inout ObjectReader) throws -> File { try File(id: row.id(), bytes: row.next()) }
}
