#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Several stores on one database, as in several processes.
@Suite(.postgres)
struct PostgresSharingTests {
    @Test func `stores that open at the same time create the tables once`() async throws {
        let name = "together"
        try await Scratch.run("CREATE SCHEMA \(name)")
        let schemas = try SchemaSet([Sample.note])
        let configuration = try await Scratch.configuration(name, connections: 2)
        let stores = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
            for _ in 0..<8 { group.addTask { try await PostgresStore.open(configuration, schemas: schemas) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(stores.map(\.lifetime)).count == 1)
        for store in stores { await store.close() }
        await Scratch.drop(name)
    }

    @Test func `each commit of any store reaches the streams of all stores once, in one order`() async throws {
        let name = "streams"
        let schemas = try SchemaSet([Sample.note])
        let stores = [try await Scratch.open(schemas, name), try await Scratch.open(schemas, name)]
        var streams: [AsyncStream<ChangeEvent>] = []
        for store in stores { streams += [await store.changes(), await store.changes()] }
        let written = try await withThrowingTaskGroup(of: [CommitID].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var ids: [CommitID] = []
                    for number in 0..<50 {
                        let changes = ChangeSet(inserts: [Sample.note("\(task) \(number)")])
                        _ = try await stores[task % 2].commit(changes)
                        ids.append(changes.id)
                    }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var heard: [[CommitID]] = []
        for stream in streams {
            let events = await stream.prefix(written.count).reduce(into: [ChangeEvent]()) { $0.append($1) }
            heard.append(events.compactMap { event in if case .commit(let commit) = event { commit.id } else { nil } })
        }
        #expect(Set(heard[0]) == Set(written))
        #expect(heard.allSatisfy { $0 == heard[0] })
        for store in stores { await store.close() }
        await Scratch.drop(name)
    }

    @Test func `a commit of one store is judged by the commits of another`() async throws {
        let name = "judged"
        let schemas = try SchemaSet([Sample.note])
        let (one, other) = (try await Scratch.open(schemas, name), try await Scratch.open(schemas, name))
        let note = Sample.note("a")
        _ = try await one.commit(ChangeSet(inserts: [note]))
        let update = RootUpdate(EntityKey(Sample.note, note.id), expected: 1, changes: ObjectChanges())
        _ = try await other.commit(ChangeSet(updates: [update]))
        let error = await #expect(throws: PersistencyError.self) { try await one.commit(ChangeSet(updates: [update])) }
        guard case .conflict(let conflict)? = error else { Issue.record("\(error as Any)"); return }
        #expect(conflict.found == 2)
        for store in [one, other] { await store.close() }
        await Scratch.drop(name)
    }

    @Test func `unique values are unique among concurrent commits of several stores`() async throws {
        let name = "uniques"
        let schemas = try SchemaSet([Sample.note])
        let stores = [try await Scratch.open(schemas, name), try await Scratch.open(schemas, name)]
        for round in 0..<20 {
            let stored = try await withThrowingTaskGroup(of: Bool.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        do {
                            _ = try await stores[task % 2].commit(ChangeSet(inserts: [Sample.note("round \(round)")]))
                            return true
                        } catch PersistencyError.duplicate {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(stored == 1)
        }
        for store in stores { await store.close() }
        await Scratch.drop(name)
    }

    @Test func `the tables of another program are refused and unchanged`() async throws {
        let name = "others"
        try await Scratch.run("CREATE SCHEMA \(name)", "CREATE TABLE \(name).note (text text)")
        let schemas = try SchemaSet([Sample.note])
        let error = await #expect(throws: PersistencyError.self) { try await Scratch.open(schemas, name) }
        guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
        #expect(reason.contains("note belongs to another program"))
        try await Scratch.run("INSERT INTO \(name).note VALUES ('a')")
        await Scratch.drop(name)
    }
}
#endif
