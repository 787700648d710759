import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@Suite("A decorator is the store that it decorates, apart from what it implements")
struct StoreDecoratorTests {
    let mappers: MapperSet

    init() throws {
        mappers = try MapperSet(Fixture.mappers)
    }

    @Test func `each requirement is forwarded, also those that have a default`() async throws {
        let echo = EchoStore(mappers.schemas)
        let store: any Store = PlainDecorator(PlainDecorator(echo))
        let schema = mappers.schemas.roots[0]
        #expect(store.identity == ObjectIdentifier(echo))
        #expect(store.traits.kind == "echo")
        #expect(store.schemas.roots.count == mappers.schemas.roots.count)
        _ = try await store.read([RawID(high: 0, low: 1)], of: schema)
        _ = try await store.read(ReadRequest(schema))
        _ = try await store.counts(CountRequest(schema, where: .always(true), by: .column(0)))
        _ = try await store.commit(ChangeSet())
        #expect(try await store.outcome(of: CommitID()) == .stored)
        for await _ in await store.changes() {}
        #expect(store.feature(EchoStore.self) === echo)
        await store.close()
        #expect(echo.calls == ["read", "query", "counts", "commit", "outcome", "changes", "feature", "close"])
    }

    @Test func `a read at once is not forwarded, which would bypass the reads of the decorator`() async throws {
        let echo = EchoStore(mappers.schemas)
        let store: any Store = PlainDecorator(echo)
        #expect(try store.lendAtOnce(RawID(high: 0, low: 1), of: mappers.schemas.roots[0]) { _ in } == .declined)
        #expect(echo.calls == [])
        let cached: any Store = CachedStore(echo)
        #expect(try cached.lendAtOnce(RawID(high: 0, low: 1), of: mappers.schemas.roots[0]) { _ in } == .lent)
        #expect(echo.calls == ["at once"])
    }

    @Test func `a transaction is joined through each decorator of its store`() async throws {
        let base = MemoryStore(mappers.schemas)
        let manager = StoreManager(base, mappers: mappers)
        let other = StoreManager(PlainDecorator(base), mappers: mappers)
        try await manager.transaction { _ in
            let error = await persistencyError { try await other.create(Person(1, "Ann")) }
            guard case .outsideTransaction = error else { return #expect(Bool(false), "\(error as Any)") }
            try await other.transaction { try await $0.create(Person(2, "Bob")) }
            #expect(try await base.read(ReadRequest(mappers.schemas.roots[0])).items.isEmpty)
        }
        #expect(try await other.read(Person(2, "Bob").id)?.entity.name == "Bob")
    }

    @Test func `transactions of two stores do not join, also where one is decorated`() async throws {
        let manager = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        let other = StoreManager(PlainDecorator(MemoryStore(mappers.schemas)), mappers: mappers)
        try await manager.transaction { _ in try await other.create(Person(1, "Ann")) }
        #expect(try await other.read(Person(1, "Ann").id) != nil)
    }

    @Test func `a feature of the store is found through its decorators`() async throws {
        let store = PlainDecorator(MemoryStore(mappers.schemas))
        #expect(store.feature((any MeasuredStore).self) != nil)
        #expect(store.feature((any SelfCheckingStore).self) == nil)
        #expect(store.feature(PlainDecorator.self) === store)
    }
}

/// Forwards everything.
final class PlainDecorator: StoreDecorator {
    let base: any Store

    init(_ base: any Store) {
        self.base = base
    }
}

/// Stores nothing, and records the names of the requirements called.
private final class EchoStore: Store {
    let traits = StoreTraits(kind: "echo", capabilities: [])
    let schemas: SchemaSet
    private let state = Mutex<[String]>([])

    init(_ schemas: SchemaSet) {
        self.schemas = schemas
    }

    var calls: [String] { state.withLock(\.self) }

    private func note(_ call: String) { state.withLock { $0.append(call) } }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        note("read")
    }

    func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        note("at once")
        return .lent
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        note("query")
        return PageEnd()
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        note("counts")
        return [:]
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        note("commit")
        return CommitReceipt(token: ChangeToken(lifetime: 0, position: 0))
    }

    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        note("outcome")
        return .stored
    }

    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        note("changes")
        return AsyncStream { $0.finish() }
    }

    func feature<Feature>(_ type: Feature.Type) -> Feature? {
        note("feature")
        return self as? Feature
    }

    func close() async { note("close") }
}
