import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

struct MemoryStoreTests {
    private let schema = EntitySchema(
        name: "thing", columns: [Column(name: "name", type: .text)], uniques: [[0]])

    private func store(_ script: MemoryStore.Script? = nil) throws -> MemoryStore {
        MemoryStore(try SchemaSet([schema]), script: script)
    }

    private func thing(_ id: UInt64, _ name: String? = nil) -> StorageObject {
        StorageObject(schema: schema, id: RawID(high: 1, low: id), values: [.text(name ?? "thing \(id)")])
    }

    @Test func `a script fails the commit that it names and no other`() async throws {
        let script = MemoryStore.Script()
        script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "the disk is full")))
        let store = try store(script)
        _ = try await store.commit(ChangeSet(inserts: [thing(1)]))
        await #expect(throws: PersistencyError.self) { try await store.commit(ChangeSet(inserts: [thing(2)])) }
        _ = try await store.commit(ChangeSet(inserts: [thing(3)]))
        let stored = try await store.read(ReadRequest(schema)).items
        #expect(stored == [thing(1), thing(3)])
        #expect(script.commits.map(\.inserts) == [[thing(1)], [thing(2)], [thing(3)]])
    }

    @Test func `a script can commit something else before a commit`() async throws {
        let script = MemoryStore.Script()
        let store = try store(script)
        let (rival, mine) = (thing(1, "rival"), thing(1, "mine"))
        script.beforeCommit { changes in
            if changes.inserts == [mine] { _ = try? await store.commit(ChangeSet(inserts: [rival])) }
        }
        await #expect(throws: PersistencyError.self) { try await store.commit(ChangeSet(inserts: [mine])) }
        #expect(try store.read([mine.id], of: schema) == [rival])
    }

    @Test func `a script can cancel the task before its commit begins`() async throws {
        let script = MemoryStore.Script()
        let store = try store(script)
        script.beforeCommit { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        let task = Task { try await store.commit(ChangeSet(inserts: [thing(1)])) }
        await #expect(throws: PersistencyError.self) { try await task.value }
        #expect(try store.read([thing(1).id], of: schema).isEmpty)
    }

    @Test func `a script records what the store was asked`() async throws {
        let script = MemoryStore.Script()
        let store = try store(script)
        _ = try store.read([thing(1).id], of: schema)
        _ = try await store.counts(CountRequest(schema, where: .always(true), by: .column(0)))
        let kinds = script.calls.map { call in
            switch call {
            case .read: "read"
            case .query: "query"
            case .commit: "commit"
            }
        }
        #expect(kinds == ["read", "query"])
    }

    @Test func `a change set that names a root twice is refused`() async throws {
        let store = try store()
        await #expect(throws: PersistencyError.self) {
            try await store.commit(ChangeSet(inserts: [thing(1, "a"), thing(1, "b")]))
        }
        #expect(try store.read([thing(1).id], of: schema).isEmpty)
    }

    @Test func `a schema that is not the store's is refused`() async throws {
        let store = try store()
        let other = EntitySchema(name: "other", columns: [])
        #expect(throws: PersistencyError.self) { try store.read([thing(1).id], of: other) }
        await #expect(throws: PersistencyError.self) { try await store.read(ReadRequest(other)) }
    }

    @Test func `great batches are one commit like small ones`() async throws {
        let store = try store()
        let things = (1...5000 as ClosedRange<UInt64>).map { thing($0) }
        let receipt = try await store.commit(ChangeSet(inserts: things))
        #expect(receipt.sequence == 1)
        #expect(try store.read(things.map(\.id), of: schema).count == 5000)
        await #expect(throws: PersistencyError.self) {
            try await store.commit(ChangeSet(inserts: (5001...6000).map { thing($0) } + [thing(7000, "thing 1")]))
        }
        #expect(try await store.read(ReadRequest(schema, limit: 1, includesTotal: true)).total == 5000)
    }
}
