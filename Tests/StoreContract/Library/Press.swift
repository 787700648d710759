internal import LarderData
internal import LarderDomain

/// Schemas without entities, for laws at the store's port: one root with everything that a schema can declare, twice
/// where possible; the two kinds of roots that it refers to; and one with the remaining types.
enum Press {
    /// The target of all references; may refer to its parent.
    static let topic = EntitySchema(
        name: "topic",
        columns: [
            Column(name: "name", type: .text),
            reference("parent_id", "topic", .remove),
        ], uniques: [[0]])

    /// With two unique columns, one of them nullable.
    static let member = EntitySchema(
        name: "member",
        columns: [
            Column(name: "name", type: .text), Column(name: "card", type: .integer, isNullable: true),
        ], uniques: [[0], [1]])

    /// With an owner, overlapping groups of unique columns, two lists of links, and two lists of owned objects.
    static let magazine = EntitySchema(
        name: "magazine",
        columns: [
            Column(name: "title", type: .text), Column(name: "issue", type: .integer, isNullable: true),
            Column(name: "year", type: .integer), Column(name: "price", type: .real, isNullable: true),
            reference("owner_id", "member", .refuse), reference("previous_id", "magazine", .remove),
            Column(name: "seal", type: .blob, isNullable: true),
        ],
        children: [
            ChildRelationship(name: "articles", schema: article), ChildRelationship(name: "adverts", schema: advert),
        ],
        links: [
            LinkRelationship(name: "topics", target: "topic", onDelete: .remove),
            LinkRelationship(name: "editors", target: "member", onDelete: .refuse),
        ], uniques: [[0, 1], [1, 2], [6]], indexes: [[2]], ownerColumn: 4)

    /// The objects of the first list, with references, links, and two lists of owned objects.
    static let article = EntitySchema(
        name: "article",
        columns: [
            Column(name: "text", type: .text), Column(name: "words", type: .integer, isNullable: true),
            reference("writer_id", "member", .refuse), reference("about_id", "magazine", .remove),
        ],
        children: [
            ChildRelationship(name: "footnotes", schema: footnote), ChildRelationship(name: "figures", schema: figure),
        ],
        links: [
            LinkRelationship(name: "topics", target: "topic", onDelete: .remove),
            LinkRelationship(name: "readers", target: "member", onDelete: .remove),
        ])

    /// The objects of the second list.
    static let advert = EntitySchema(
        name: "advert",
        columns: [
            Column(name: "text", type: .text, isNullable: true), Column(name: "price", type: .integer),
            reference("sponsor_id", "member", .refuse),
        ], links: [LinkRelationship(name: "topics", target: "topic", onDelete: .remove)])

    /// The objects of the first nested list.
    static let footnote = EntitySchema(
        name: "footnote",
        columns: [Column(name: "text", type: .text), reference("topic_id", "topic", .remove)],
        links: [LinkRelationship(name: "see", target: "magazine", onDelete: .remove)])

    /// The objects of the second nested list.
    static let figure = EntitySchema(
        name: "figure",
        columns: [
            Column(name: "bytes", type: .blob), Column(name: "width", type: .real, isNullable: true),
            reference("subject_id", "member", .cascade),
        ])

    /// With the remaining types of columns, and unique groups of equal width, over references, or with common values.
    static let seat = EntitySchema(
        name: "seat",
        columns: [
            Column(name: "row", type: .text), Column(name: "place", type: .text),
            reference("holder_id", "member", .refuse), reference("topic_id", "topic", .cascade),
            Column(name: "at", type: .timestamp, isNullable: true), Column(name: "day", type: .day, isNullable: true),
            Column(name: "is_free", type: .boolean),
        ], uniques: [[0], [1], [2], [3, 4]], indexes: [[5]])

    static let roots = [topic, member, magazine, seat]

    private static func reference(_ name: String, _ target: String, _ rule: DeleteRule) -> Column {
        Column(name: name, type: .id, isNullable: true, reference: Reference(target: target, onDelete: rule))
    }

    static func topic(_ id: RawID, _ name: String, parent: RawID? = nil) -> StorageObject {
        StorageObject(schema: topic, id: id, values: [.text(name), Value(parent)])
    }

    static func member(_ id: RawID, _ name: String, card: Int64? = nil) -> StorageObject {
        StorageObject(schema: member, id: id, values: [.text(name), card.map(Value.integer) ?? .null])
    }

    static func magazine(
        _ id: RawID, _ title: String, issue: Int64? = nil, year: Int64 = 2000, owner: RawID? = nil,
        previous: RawID? = nil, seal: [UInt8]? = nil, articles: [StorageObject] = [], adverts: [StorageObject] = [],
        topics: [RawID] = [], editors: [RawID] = []
    ) -> StorageObject {
        StorageObject(
            schema: magazine, id: id,
            values: [
                .text(title), issue.map(Value.integer) ?? .null, .integer(year), .null, Value(owner), Value(previous),
                seal.map(Value.blob) ?? .null,
            ], children: [articles, adverts], links: [topics, editors])
    }

    static func article(
        _ id: RawID, _ text: String, writer: RawID? = nil, about: RawID? = nil, footnotes: [StorageObject] = [],
        figures: [StorageObject] = [], topics: [RawID] = [], readers: [RawID] = []
    ) -> StorageObject {
        StorageObject(
            schema: article, id: id, values: [.text(text), .null, Value(writer), Value(about)],
            children: [footnotes, figures], links: [topics, readers])
    }

    static func advert(_ id: RawID, price: Int64 = 1, sponsor: RawID? = nil, topics: [RawID] = []) -> StorageObject {
        StorageObject(schema: advert, id: id, values: [.null, .integer(price), Value(sponsor)], links: [topics])
    }

    static func footnote(_ id: RawID, _ text: String, topic: RawID? = nil, see: [RawID] = []) -> StorageObject {
        StorageObject(schema: footnote, id: id, values: [.text(text), Value(topic)], links: [see])
    }

    static func figure(_ id: RawID, _ bytes: [UInt8] = [], subject: RawID? = nil) -> StorageObject {
        StorageObject(schema: figure, id: id, values: [.blob(bytes), .null, Value(subject)])
    }
}

extension Value {
    /// An id, or `null`.
    fileprivate init(_ id: RawID?) { self = id.map(Value.id) ?? .null }
}
