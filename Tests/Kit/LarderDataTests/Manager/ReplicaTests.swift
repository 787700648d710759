import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

/// Notes the copy of the data that each read asks for.
private final class Copies: StoreDecorator {
    let base: any Store
    private let noted = Mutex<[ReadConsistency.Preference]>([])

    init(_ base: any Store) {
        self.base = base
    }

    /// The copies since the last call.
    func asked() -> [ReadConsistency.Preference] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }

    private func note(_ consistency: ReadConsistency) { noted.withLock { $0.append(consistency.preference) } }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        note(ReadConsistency(.primary))
        try await base.withRows(ids, of: schema, body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        note(request.consistency)
        return try await base.withRows(request, body)
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        note(request.consistency)
        return try await base.counts(request)
    }

    func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        note(request.consistency)
        return try await base.aggregates(request)
    }
}

@Suite("A manager that may read from a replica")
struct ReplicaTests {
    private let store: Copies
    private let manager: StoreManager
    private let ann = Person(1, "Ann")
    private let bea = Person(2, "Bea")

    init() async throws {
        let mappers = try MapperSet(Fixture.mappers)
        store = Copies(MemoryStore(mappers.schemas))
        manager = StoreManager(store, mappers: mappers)
        try await manager.create(contentsOf: [ann, bea])
    }

    @Test func `asks it for queries, counts, figures and several ids`() async throws {
        let reading = manager.reading(ReadConsistency(.replica, including: try await manager.position()))
        _ = store.asked()
        #expect(try await reading.read([bea.id, ann.id]).map(\.entity) == [bea, ann])
        #expect(try await reading.read(Query<Person>()).entities == [ann, bea])
        #expect(try await reading.counts(Query<Person>(), by: .value(\.name)) == ["Ann": 1, "Bea": 1])
        #expect(try await reading.aggregates(Query<Person>(), of: .count).map(\.values) == [2])
        #expect(store.asked() == [.replica, .replica, .replica, .replica])
        #expect(try await manager.read([bea.id, ann.id]).count == 2)
        #expect(store.asked() == [.primary])
    }

    @Test func `asks the primary for one entity, and in a transaction`() async throws {
        let reading = manager.reading(ReadConsistency(.replica))
        _ = store.asked()
        #expect(try await reading.read(ann.id)?.entity == ann)
        let counts = try await reading.transaction { manager in
            [try await manager.read([ann.id, bea.id]).count, try await manager.read(Query<Person>()).items.count]
        }
        #expect(counts == [2, 2])
        let asked = store.asked()
        #expect(!asked.isEmpty && asked.allSatisfy { $0 == .primary })
    }
}
