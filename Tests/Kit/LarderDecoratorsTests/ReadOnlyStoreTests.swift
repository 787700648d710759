import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderInfrastructureTests

@Suite("A read-only store")
struct ReadOnlyStoreTests {
    @Test func `refuses commits`() async throws {
        let store = ReadOnlyStore(MemoryStore(try SchemaSet([])))
        do {
            _ = try await store.commit(ChangeSet())
            Issue.record("the commit was not refused")
        } catch .unavailable(let cause) {
            #expect(cause.reason == .readOnly)
        }
    }

    @Test func `reads the content of its base, also over a mirrored store`() async throws {
        let members = try MirroredStore.schemas(of: Sample.schemas())
        let mirrored = try await MirroredStore.open(
            Sample.schemas(), primary: Member("primary", MemoryStore(members)),
            mirrors: [Member("mirror", MemoryStore(members))], required: 1)
        try await mirrored.insert(Sample.tag(1, "one"), Sample.book(2, "Two", tags: [1]))
        let store = ReadOnlyStore(mirrored)
        #expect(try await store.read(Sample.id(2), of: Sample.book) == Sample.book(2, "Two", tags: [1]))
        #expect(try await store.read(ReadRequest(Sample.tag, content: .complete)).items.count == 1)
        let error = await failure { () throws(PersistencyError) in try await store.insert(Sample.tag(3, "three")) }
        guard case .unavailable(let cause)? = error else {
            Issue.record("the commit was not refused")
            return
        }
        #expect(cause.reason == .readOnly)
        await store.close()
    }

    @Test func `has the features of its base that read, and none that can write`() async throws {
        let scratch = Scratch()
        let base = try await scratch.open()
        let store = ReadOnlyStore(CachedStore(base))
        #expect(store.feature((any SelfCheckingStore).self) != nil)
        #expect(store.feature((any MeasuredStore).self) != nil)
        #expect(store.feature(CachedStore.self) != nil)
        #expect(store.feature(ReadOnlyStore.self) === store)
        #expect(base.feature(SQLiteAccess.self) != nil)
        #expect(store.feature(SQLiteAccess.self) == nil)
        #expect(store.feature(SQLiteStore.self) == nil)
        await store.close()
    }
}
