import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

struct MemoryStoreTests {
    private let schema = EntitySchema(
        name: "thing", columns: [Column(name: "name", type: .text)], uniques: [[0]])

    private func store(_ script: MemoryStore.Script? = nil) throws -> MemoryStore {
        MemoryStore(try SchemaSet([schema]), script: script)
    }

    private func thing(_ id: UInt64, _ name: String? = nil) -> StorageObject {
        StorageObject(schema: schema, id: RawID(high: 1, low: id), values: [.text(name ?? "thing \(id)")])
    }

    /// The error of a commit of new objects.
    private func commitError(_ store: MemoryStore, _ things: StorageObject...) async -> String? {
        await failure { () async throws(PersistencyError) in _ = try await store.commit(ChangeSet(inserts: things)) }?
            .summary
    }

    @Test func `a point read does not wait for a large commit, and small commits follow it`() async throws {
        let store = try store()
        _ = try await store.commit(ChangeSet(inserts: [thing(1)]))
        let (schema, first, many) = (schema, thing(1).id, (2..<50_000).map { thing($0) })
        let clock = ContinuousClock()
        let began = clock.now
        let commit = Task {
            _ = try await store.commit(ChangeSet(inserts: many))
            return clock.now - began
        }
        let next = thing(50_000)
        let small = Task { try await store.commit(ChangeSet(inserts: [next])).token.position }
        var longest = Duration.zero
        var isStored = false
        while !isStored, clock.now - began < .seconds(120) {
            let start = clock.now
            isStored = try await store.read([first, many[many.count - 1].id], of: schema).count == 2
            longest = max(longest, clock.now - start)
            await Task.yield()
        }
        let duration = try await commit.value
        #expect(longest < duration / 3)
        #expect(try await [2, 3].contains(small.value))
        #expect(try await store.read(ReadRequest(schema, limit: 1, includesTotal: true)).total == 50_000)
    }

    @Test func `a script fails the commit that it names and no other`() async throws {
        let script = MemoryStore.Script()
        script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "the disk is full")))
        let store = try store(script)
        _ = try await store.commit(ChangeSet(inserts: [thing(1)]))
        #expect(await commitError(store, thing(2)) == "unavailable full")
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
        #expect(await commitError(store, mine) == "duplicate thing id 1")
        #expect(try await store.read([mine.id], of: schema) == [rival])
    }

    @Test func `a script can cancel the task before its commit begins`() async throws {
        let script = MemoryStore.Script()
        let store = try store(script)
        script.beforeCommit { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        let task = Task { await commitError(store, thing(1)) }
        #expect(await task.value == "cancelled")
        #expect(try await store.read([thing(1).id], of: schema).isEmpty)
    }

    @Test func `a script records the requests to the store`() async throws {
        let script = MemoryStore.Script()
        let store = try store(script)
        _ = try await store.read([thing(1).id], of: schema)
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
        #expect(await commitError(store, thing(1, "a"), thing(1, "b")) == "duplicate thing id 1")
        #expect(try await store.read([thing(1).id], of: schema).isEmpty)
    }

    @Test func `a schema that is not the store's is refused`() async throws {
        let store = try store()
        let other = EntitySchema(name: "other", columns: [])
        let refused = await failure { () async throws(PersistencyError) in
            _ = try await store.read([thing(1).id], of: other)
        }
        #expect(refused?.summary == "unknown other")
        let error = await failure { () async throws(PersistencyError) in _ = try await store.read(ReadRequest(other)) }
        #expect(error?.summary == "unknown other")
    }

    @Test func `great batches are one commit like small ones`() async throws {
        let store = try store()
        let things = (1...5000 as ClosedRange<UInt64>).map { thing($0) }
        let receipt = try await store.commit(ChangeSet(inserts: things))
        #expect(receipt.sequence == 1)
        #expect(try await store.read(things.map(\.id), of: schema).count == 5000)
        let error = await failure { () async throws(PersistencyError) in
            let clashing = (5001...6000).map { thing($0) } + [thing(7000, "thing 1")]
            _ = try await store.commit(ChangeSet(inserts: clashing))
        }
        #expect(error?.summary == "duplicate thing name 1")
        #expect(try await store.read(ReadRequest(schema, limit: 1, includesTotal: true)).total == 5000)
    }
}
