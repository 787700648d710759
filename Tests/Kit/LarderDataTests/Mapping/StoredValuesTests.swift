import Foundation
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderData

/// Entities and values whose own `==` and hash ignore differences, and derived columns of texts that NFC changes.
@Suite("Stored values decide")
struct StoredValuesTests {
    let manager: StoreManager
    let store: CachedStore
    let schemas: SchemaSet

    init() throws {
        let mappers = try MapperSet([BadgeMapper.self])
        schemas = mappers.schemas
        store = CachedStore(MemoryStore(schemas))
        manager = StoreManager(store, mappers: mappers)
    }

    /// Stores a badge and reads it, so that it is cached.
    private func cached(_ badge: Badge) async throws -> Badge {
        try await manager.create(badge)
        return try #require(try await manager.read(badge.id)).entity
    }

    @Test(arguments: [
        Badge(title: "new"), Badge(colour: Colour("RED")), Badge(pins: [Pin(2)]), Badge(pins: [Pin(1, "new")]),
        Badge(others: [Badge.other]),
    ])
    func `a change that the entity's own equality ignores is stored while the entity is cached`(
        _ changed: Badge
    ) async throws {
        let old = try await cached(Badge())
        #expect(old == changed)
        let saved = try await manager.update(changed, expecting: 1)
        #expect(saved.outcome == .updated && saved.stored.version == 2)
        let stored = try await store.read(changed.id.rawValue, of: BadgeMapper.schema)
        let found = try BadgeMapper.stored(from: try #require(stored)).entity
        #expect(found.parts == changed.parts)
        #expect(try await manager.save(old).outcome == .updated)
    }

    @Test func `an entity with the stored values is unchanged, also if its own equality denies it`() async throws {
        let old = try await cached(Badge(title: "n\u{303}", isUnequal: true))
        #expect(old != old)
        #expect(try await manager.save(old).outcome == .unchanged)
        #expect(try await manager.save(Badge(title: "\u{f1}", isUnequal: true)).outcome == .unchanged)
        #expect(try await manager.save(Badge(title: "n\u{303}", isUnequal: true)).outcome == .unchanged)
    }

    @Test func `a value that no store accepts is refused while the entity is cached`() async throws {
        _ = try await cached(Badge())
        await #expect(throws: PersistencyError.self) { try await manager.save(Badge(title: "\u{0}")) }
    }

    @Test func `a stored entity that its mapper refuses is replaced by a save, with its words`() async throws {
        let sqlite = try await SQLiteStore.open(.init(.memory), schemas: schemas)
        for store in [MemoryStore(schemas), sqlite] as [any Store] {
            let manager = StoreManager(store, mappers: try MapperSet([BadgeMapper.self]))
            let refused = try BadgeMapper.mapping.storageObject(ofRead: Badge(title: "refused"))
            _ = try await store.commit(ChangeSet(inserts: [refused]))
            await #expect(throws: PersistencyError.self) { try await manager.read(Badge().id) }
            #expect(try await manager.save(Badge(title: "new")).outcome == .updated)
            #expect(try await manager.read(Query<Badge>(search: "new")).items.count == 1)
            await store.close()
        }
    }

    @Test func `counts of keys that are equal in the domain are added`() async throws {
        for (number, colour) in ["red", "RED", "red"].enumerated() {
            try await manager.create(Badge(UInt64(number + 1), colour: Colour(colour), pins: []))
        }
        #expect(try await manager.counts(Query<Badge>(), by: .value(\.colour)) == [Colour("red"): 3])
    }

    @Test func `derived columns and words are computed from the entity as it is read`() async throws {
        let decomposed = Badge(title: "n\u{303}", pins: [Pin(1, "n\u{303}")])
        let object = try BadgeMapper.storageObject(from: decomposed)
        #expect(object.values[1] == .integer(2))
        #expect(object.children[0][0].values[1] == .integer(2))
        let read = try BadgeMapper.stored(from: object).entity
        let again = try BadgeMapper.storageObject(from: read)
        #expect(object == again)
        let derivation = try #require(schemas.derivation(of: BadgeMapper.schema))
        let derived = try derivation(object)
        #expect(object == derived)

        let stored = try await cached(decomposed)
        #expect(try await manager.read(Query<Badge>(#Predicate { $0.size == 2 })).items.count == 1)
        #expect(try await manager.update(stored, expecting: 1).outcome == .unchanged)
        let outcome = try await manager.transaction { try await $0.update(stored, expecting: 1).outcome }
        #expect(outcome == .unchanged)
    }
}

/// Equal to every badge with the same id, or to none.
struct Badge: Entity, CustomStringConvertible {
    let id: EntityID<Badge>
    var title: String
    var colour: Colour
    var pins: [Pin]
    var others: [EntityID<Badge>]
    var isUnequal: Bool

    var size: Int { title.utf8.count }
    var parts: [String] { [title, colour.rawValue] + pins.map(\.parts) + others.map { "\($0.rawValue)" } }
    var description: String { parts.joined(separator: ", ") }
    static var other: EntityID<Badge> { Badge().id }

    init(
        _ number: UInt64 = 1, title: String = "badge", colour: Colour = Colour("red"), pins: [Pin] = [Pin(1)],
        others: [EntityID<Badge>] = [], isUnequal: Bool = false
    ) {
        id = EntityID(RawID(high: 9, low: number))
        (self.title, self.colour, self.pins, self.others) = (title, colour, pins, others)
        self.isUnequal = isUnequal
    }

    static func == (lhs: Badge, rhs: Badge) -> Bool { !lhs.isUnequal && lhs.id == rhs.id }
}

/// Equal to every pin.
struct Pin: Entity {
    let id: EntityID<Pin>
    var label: String

    var size: Int { label.utf8.count }
    var parts: String { "\(id.rawValue) \(label)" }

    init(_ number: UInt64, _ label: String = "pin") {
        id = EntityID(RawID(high: 8, low: number))
        self.label = label
    }

    static func == (lhs: Pin, rhs: Pin) -> Bool { true }
}

/// Ignores case.
struct Colour: ColumnValue, RawRepresentable {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }
    init(_ name: String) { rawValue = name }

    static func == (lhs: Colour, rhs: Colour) -> Bool { lhs.rawValue.lowercased() == rhs.rawValue.lowercased() }
    func hash(into hasher: inout Hasher) { hasher.combine(rawValue.lowercased()) }
}

enum BadgeMapper: EntityMapper {
    static let mapping = Mapping<Badge>(
        "badge", id: \.id,
        [
            .column("title", \.title), .derived("size", \.size), .column("colour", \.colour),
            .column("is_unequal", \.isUnequal), .children("pins", \.pins, PinMapper.self),
            .links("others", \.others, onDelete: .remove),
            .search("words", [SearchField(weight: 1) { [$0.title] }]),
        ])

    static func entity(from row: inout ObjectReader) throws -> Badge {
        var badge = Badge(row.id(Badge.self).rawValue.low, title: try row.next(), colour: try row.next())
        badge.isUnequal = try row.next()
        badge.pins = try row.children(PinMapper.self)
        badge.others = try row.links()
        if badge.title == "refused" { throw InvalidField(Badge.self, "title", "must not be 'refused'") }
        return badge
    }
}

enum PinMapper: EntityMapper {
    static let mapping = Mapping<Pin>(
        "pin", id: \.id, [.column("label", \.label), .derived("size", \.size)])

    static func entity(from row: inout ObjectReader) throws -> Pin {
        Pin(row.id(Pin.self).rawValue.low, try row.next())
    }
}
