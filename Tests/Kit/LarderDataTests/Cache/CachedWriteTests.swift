import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// Changes of cached entities, which are computed without a read, and cached again.
struct CachedWriteTests {
    let script = MemoryStore.Script()
    let base: PausingStore
    let manager: StoreManager
    let ann = Person(1, "Ann")
    let anna = Person(1, "Anna")

    init() async throws {
        let mappers = try MapperSet(Fixture.mappers)
        base = PausingStore(MemoryStore(mappers.schemas, script: script))
        manager = StoreManager(CachedStore(base), mappers: mappers)
        try await manager.create(ann)
        _ = try await manager.read(ann.id)
    }

    /// The number of reads by ids from the base store.
    private var reads: Int { script.calls.count { if case .read = $0 { true } else { false } } }

    @Test func `a change of a cached version and its next reader read nothing from the store`() async throws {
        let before = reads
        #expect(try await manager.update(anna, expecting: 1) == Saved(.updated, Stored(anna, version: 2)))
        #expect(try await manager.read(ann.id) == Stored(anna, version: 2))
        #expect(try await manager.update(ann, expecting: 2).stored.version == 3)
        #expect(reads == before)
        #expect(try await base.read(ann.id.rawValue, of: PersonMapper.schema)?.version == 3)
    }

    @Test func `an equal entity is not written`() async throws {
        let before = script.calls.count
        #expect(try await manager.update(ann, expecting: 1) == Saved(.unchanged, Stored(ann, version: 1)))
        #expect(script.calls.count == before)
    }

    @Test func `another version than the cached one is a conflict with the stored entity`() async throws {
        try await manager.update(anna, expecting: 1)
        let error = await #expect(throws: PersistencyError.self) {
            try await manager.update(Person(1, "A"), expecting: 1)
        }
        guard case .conflict(let conflict)? = error else { return #expect(Bool(false), "no conflict") }
        #expect(conflict.expected == 1 && conflict.found == 2 && conflict.theirs as? Person == anna)
    }

    @Test func `after an update that failed, the stored entity is read`() async throws {
        script.failCommit(number: 2, with: .unavailable(Unavailable(.failed, "test")))
        await #expect(throws: PersistencyError.self) { try await manager.update(anna, expecting: 1) }
        #expect(try await manager.read(ann.id) == Stored(ann, version: 1))
    }

    @Test func `of two overlapping changes the later one is read`() async throws {
        let manager = manager
        // The second change begins and ends before the first one has returned.
        base.afterCommit { _ = try? await manager.update(Person(1, "later")) }
        #expect(try await manager.update(anna, expecting: 1).stored.version == 2)
        #expect(try await manager.read(ann.id) == Stored(Person(1, "later"), version: 3))
    }

    @Test func `a reference that is removed during a change is not read`() async throws {
        try await manager.create(Shop(1, regulars: [ann.id]))
        _ = try await manager.read(Shop(1).id)
        let manager = manager
        base.afterCommit { _ = try? await manager.delete(Person(1, "Ann").id) }
        try await manager.update(Shop(1, name: "new", regulars: [ann.id]), expecting: 1)
        #expect(try await manager.read(Shop(1).id)?.entity == Shop(1, name: "new"))
    }
}
