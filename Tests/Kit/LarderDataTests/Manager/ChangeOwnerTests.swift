import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// No entity refers to it.
private struct Draft: Entity {
    let id: EntityID<Draft>
    var author: EntityID<Person>?
}

private enum DraftMapper: EntityMapper {
    static let mapping = Mapping<Draft>(
        "draft", id: \.id, [.reference("author", \.author, onDelete: .refuse).owner])

    static func entity(from row: inout ObjectReader) throws -> Draft { try Draft(id: row.id(), author: row.next()) }
}

@Suite("A change carries the owner that it is judged by")
struct ChangeOwnerTests {
    @Test func `of inserted, moved, changed and deleted entities`() async throws {
        let fixture = try Fixture()
        let manager = fixture.manager
        let (ann, bea) = (Person(1, "Ann"), Person(2, "Bea"))
        for person in [ann, bea] { try await manager.create(person) }
        var changes = await fixture.store.changes().makeAsyncIterator()
        try await manager.create(Shop(1, owner: ann.id))
        try await manager.update(Shop(1, owner: bea.id))
        try await manager.transaction { manager in try await manager.update(Shop(1, staff: 1, owner: bea.id)) }
        try await manager.delete(Shop(1).id)
        try await manager.delete(ann.id)
        var owners: [RawID?] = []
        while owners.count < 5, case .commit(let commit)? = await changes.next() {
            owners += commit.entries.map(\.owner)
        }
        #expect(owners == [ann.id, bea.id, bea.id, bea.id, nil].map { $0?.rawValue })
    }

    @Test func `of entities that are deleted by query`() async throws {
        let mappers = try MapperSet(Fixture.mappers + [DraftMapper.self])
        let store = MemoryStore(mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let ann = try await manager.create(Person(1, "Ann"))
        try await manager.create(Draft(id: EntityID(RawID(high: 7, low: 1)), author: ann.id))
        var changes = await store.changes().makeAsyncIterator()
        #expect(try await manager.delete(matching: Query<Draft>()) == 1)
        guard case .commit(let commit)? = await changes.next() else { return #expect(Bool(false), "no commit") }
        #expect(commit.entries.map(\.kind) == [.deleted])
        #expect(commit.entries.map(\.owner) == [ann.id.rawValue])
    }
}
