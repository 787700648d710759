import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@Suite("A manager over a cached store answers from memory what the store would answer")
struct CachedStoreTests {
    let script = MemoryStore.Script()
    let base: PausingStore
    let cached: CachedStore
    let manager: StoreManager
    let lookups = Lookups()
    let ann = Person(1, "Ann")

    init() throws {
        let mappers = try MapperSet(Fixture.mappers)
        base = PausingStore(MemoryStore(mappers.schemas, script: script))
        cached = CachedStore(base) { [lookups] isHit in lookups.note(isHit) }
        manager = StoreManager(cached, mappers: mappers)
    }

    /// The number of reads by ids from the base store.
    private var reads: Int { script.calls.count { if case .read = $0 { true } else { false } } }

    @Test func `an entity is read once, alone or with others`() async throws {
        let bob = Person(2, "Bob")
        for person in [ann, bob] {
            try await manager.create(person)
            _ = try await manager.read(person.id)
        }
        let before = reads
        #expect(try await manager.read(ann.id) == Stored(ann, version: 1))
        #expect(try await manager.read([bob.id, ann.id, bob.id]).map(\.entity) == [bob, ann, bob])
        #expect(reads == before)
        #expect(lookups.all == [false, false, true, true])
    }

    @Test func `some that are remembered and one that is not are read together, in one snapshot`() async throws {
        let bob = Person(2, "Bob")
        try await manager.create(ann)
        try await manager.create(bob)
        _ = try await manager.read(ann.id)
        let before = script.calls.count
        #expect(try await manager.read([ann.id, bob.id]).map(\.entity) == [ann, bob])
        guard case .read(let ids, _)? = script.calls.last else { return #expect(Bool(false), "no read") }
        #expect(script.calls.count == before + 1 && ids == [ann.id.rawValue, bob.id.rawValue])
    }

    @Test func `a manager over a decorator of the cached store uses the cache`() async throws {
        let decorated = StoreManager(PlainDecorator(cached), mappers: try MapperSet(Fixture.mappers))
        try await decorated.create(ann)
        for _ in 1...3 { _ = try await decorated.read(ann.id) }
        #expect(reads == 1 && lookups.all == [false, true, true])
    }

    @Test func `a store that others write is not cached`() async throws {
        let shared = CachedStore(SharedStore(base))
        let manager = StoreManager(shared, mappers: try MapperSet(Fixture.mappers))
        try await manager.create(ann)
        for _ in 1...3 { _ = try await manager.read(ann.id) }
        #expect(reads == 3 && shared.epoch == nil)
    }

    @Test func `a missing entity is requested every time`() async throws {
        #expect(try await manager.read(ann.id) == nil)
        try await manager.create(ann)
        #expect(try await manager.read(ann.id) == Stored(ann, version: 1))
    }

    @Test(arguments: [true, false])
    func `a change is read, whichever manager made it, alone or in a transaction`(alone: Bool) async throws {
        let other = StoreManager(cached, mappers: try MapperSet(Fixture.mappers))
        try await manager.create(ann)
        _ = try await manager.read(ann.id)
        let changed = Person(1, "Anna")
        if alone {
            try await other.update(changed)
        } else {
            try await other.transaction { try await $0.update(changed) }
        }
        #expect(try await manager.read(ann.id) == Stored(changed, version: 2))
        try await other.delete(ann.id)
        #expect(try await manager.read(ann.id) == nil)
    }

    @Test func `the effects of a deletion on the referring roots are read`() async throws {
        let shop = Shop(1, regulars: [ann.id])
        try await manager.create(ann)
        try await manager.create(shop)
        _ = try await manager.read(shop.id)
        try await manager.delete(ann.id)
        #expect(try await manager.read(shop.id)?.entity.regulars == [])
    }

    @Test func `while a commit runs, its roots are read from the store, and cached only afterwards`()
        async throws
    {
        try await manager.create(ann)
        _ = try await manager.read(ann.id)
        let manager = manager
        let id = ann.id
        let seen = Mutex<[Int64?]>([])
        base.afterCommit {
            // The store shows the change before its caller gets the result: from then on, no reader may see the old
            // value.
            for _ in 1...2 {
                let version = try? await manager.read(id)?.version
                seen.withLock { $0.append(version) }
            }
        }
        let before = reads
        try await manager.update(Person(1, "Anna"))
        #expect(seen.withLock { $0 } == [2, 2])
        // The update's own read, and two that were not cached.
        #expect(reads == before + 3)
        // The change itself is cached.
        _ = try await manager.read(ann.id)
        #expect(reads == before + 3)
    }

    @Test func `while a commit removes references, nothing of the kind that refers is remembered`() async throws {
        try await manager.create(ann)
        for number in 1...2 as ClosedRange<UInt64> {
            try await manager.create(Shop(number, regulars: [ann.id]))
            _ = try await manager.read(Shop(number).id)
        }
        let manager = manager
        base.afterCommit { _ = try? await manager.read([Shop(1).id, Shop(2).id]) }
        let before = reads
        try await manager.delete(ann.id)
        #expect(try await manager.read(Shop(1).id) == Stored(Shop(1), version: 2))
        #expect(try await manager.read(Shop(2).id) == Stored(Shop(2), version: 2))
        // The deletion's own read, the one during the commit, and two that were cached again.
        #expect(reads == before + 4)
        _ = try await manager.read(Shop(1).id)
        #expect(reads == before + 4)
    }

    @Test func `a result from before a commit that arrives after it is not cached`() async throws {
        try await manager.create(ann)
        let manager = manager
        base.afterRead {
            // Only one read: the change itself also reads.
            _ = try? await manager.update(Person(1, "Anna"))
        }
        #expect(try await manager.read(ann.id)?.entity.name == "Ann")
        #expect(try await manager.read(ann.id)?.entity.name == "Anna")
    }

    @Test func `a result from during a commit that arrives after it is not cached`() async throws {
        try await manager.create(ann)
        let manager = manager
        let id = ann.id
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gone, go) = AsyncStream.makeStream(of: Void.self)
        let reader = Mutex<Task<Stored<Person>?, any Error>?>(nil)
        script.beforeCommit { _ in
            base.afterRead {
                start.yield()
                for await _ in gone { break }
            }
            reader.withLock { $0 = Task { try await manager.read(id) } }
            for await _ in started { break }
        }
        try await manager.update(Person(1, "Anna"))
        go.yield()
        #expect(try await reader.withLock { $0 }?.value?.entity.name == "Ann")
        #expect(try await manager.read(id)?.entity.name == "Anna")
    }

    @Test func `a commit that failed changes nothing, and leaves nothing blocked`() async throws {
        try await manager.create(ann)
        _ = try await manager.read(ann.id)
        script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "the disk is full")))
        _ = await persistencyError { try await manager.update(Person(1, "Anna")) }
        let before = reads
        for _ in 1...3 { #expect(try await manager.read(ann.id) == Stored(ann, version: 1)) }
        #expect(reads == before + 1)
    }

    @Test func `a closed store answers nothing any more`() async throws {
        try await manager.create(ann)
        _ = try await manager.read(ann.id)
        await cached.close()
        let error = await persistencyError { _ = try await manager.read(ann.id) }
        guard case .unavailable(let trouble) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(trouble.reason == .closed)
    }
}

/// A store that pauses between an operation and its result.
final class PausingStore: StoreDecorator {
    let base: any Store
    private struct Hooks {
        var read: (@Sendable () async -> Void)?
        var query: (@Sendable () async -> Void)?
        var commit: (@Sendable () async -> Void)?
    }

    private let hooks = Mutex(Hooks())

    init(_ base: any Store) {
        self.base = base
    }

    /// Runs a closure once, after a read by ids.
    func afterRead(_ hook: @escaping @Sendable () async -> Void) { hooks.withLock { $0.read = hook } }

    /// Runs a closure once, after a page read.
    func afterQuery(_ hook: @escaping @Sendable () async -> Void) { hooks.withLock { $0.query = hook } }

    /// Runs a closure once, after a commit.
    func afterCommit(_ hook: @escaping @Sendable () async -> Void) { hooks.withLock { $0.commit = hook } }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await base.withRows(ids, of: schema, body)
        let hook = hooks.withLock { hooks in
            defer { hooks.read = nil }
            return hooks.read
        }
        await hook?()
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let end = try await base.withRows(request, body)
        let hook = hooks.withLock { hooks in
            defer { hooks.query = nil }
            return hooks.query
        }
        await hook?()
        return end
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let receipt = try await base.commit(changes)
        let hook = hooks.withLock { hooks in
            defer { hooks.commit = nil }
            return hooks.commit
        }
        await hook?()
        return receipt
    }
}

/// A store with several writing processes.
private final class SharedStore: StoreDecorator {
    let base: any Store
    let traits = StoreTraits(kind: "shared", capabilities: [])

    init(_ base: any Store) {
        self.base = base
    }
}

/// Whether each lookup was a hit.
final class Lookups: Sendable {
    private let noted = Mutex<[Bool]>([])

    var all: [Bool] { noted.withLock(\.self) }

    func note(_ isHit: Bool) { noted.withLock { $0.append(isHit) } }
}
