#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Reads from a streaming replica. Each test has its own servers.
@Suite(.postgres, .serialized)
struct PostgresReplicaTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    /// A primary with a replica, and a store on both.
    private func open() async throws -> (server: TestServer, store: PostgresStore) {
        let server = try await Task.detached { try TestServer() }.value
        try await server.startStandby()
        return (server, try await open(server))
    }

    private func open(_ server: TestServer, replica: String? = nil) async throws -> PostgresStore {
        try await PostgresStore.open(
            .init(server.connection(), replica: replica ?? server.standbyConnection()), schemas: Self.schemas.get())
    }

    /// The texts that a read finds, and whether the replica has answered.
    private func read(
        _ store: PostgresStore, _ consistency: ReadConsistency
    ) async throws -> (texts: [Value], isReplica: Bool) {
        let before = store.pool.statementsRun
        let page = try await store.read(ReadRequest(Sample.note, consistency: consistency))
        return (page.items.map { $0.values[0] }, store.pool.statementsRun == before)
    }

    private func count(_ store: PostgresStore, _ consistency: ReadConsistency) async throws -> Int {
        let request = CountRequest(Sample.note, where: .always(true), by: .column(0), consistency: consistency)
        return try await store.counts(request).count
    }

    /// Reads until the replica answers.
    private func readFromReplica(_ store: PostgresStore, including token: ChangeToken? = nil) async throws -> [Value] {
        while true {
            let found = try await read(store, ReadConsistency(.replica, including: token))
            if found.isReplica { return found.texts }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a read with a token has its commit, from the replica or, if that is behind, from the primary`() async throws {
        let (server, store) = try await open()
        defer { server.keepAlive() }
        let first = try await store.commit(ChangeSet(inserts: [Sample.note("a")])).token
        #expect(try await readFromReplica(store, including: first) == [.text("a")])

        try await server.onStandby("SELECT pg_wal_replay_pause()")
        try await server.onStandby("SELECT pg_get_wal_replay_pause_state()", until: "paused")
        let second = try await store.commit(ChangeSet(inserts: [Sample.note("b", id: RawID(high: .max, low: 0))])).token
        let stale = try await read(store, ReadConsistency(.replica))
        #expect(stale.texts == [.text("a")] && stale.isReplica)
        #expect(try await count(store, ReadConsistency(.replica)) == 1)
        #expect(try await count(store, ReadConsistency(.replica, including: second)) == 2)
        let old = try await read(store, ReadConsistency(.replica, including: first))
        #expect(old.texts == [.text("a")] && old.isReplica)
        let own = try await read(store, ReadConsistency(.replica, including: second))
        #expect(own.texts == [.text("a"), .text("b")] && !own.isReplica)
        let unspecified = try await read(store, ReadConsistency())
        #expect(unspecified.texts == [.text("a"), .text("b")] && !unspecified.isReplica)

        try await server.onStandby("SELECT pg_wal_replay_resume()")
        #expect(try await readFromReplica(store, including: second) == [.text("a"), .text("b")])
        await store.close()
    }

    @Test(.timeLimit(.minutes(3)))
    func `a manager reads old notes from a replica that is 5 s late, and its own writes by a position`() async throws {
        let (server, store) = try await open()
        defer { server.keepAlive() }
        let manager = StoreManager(store, mappers: try MapperSet([NoteMapper.self]))
        try await manager.create(Note(id: EntityID(Sample.note("a").id), text: "a"))
        #expect(try await readFromReplica(store, including: manager.position()) == [.text("a")])
        try await server.onStandby("ALTER SYSTEM SET recovery_min_apply_delay = '5s'")
        try await server.onStandby("SELECT pg_reload_conf()")
        try await server.onStandby("SHOW recovery_min_apply_delay", until: "5s")

        let start = ContinuousClock.now
        let second = EntityID<Note>(RawID(high: .max, low: 0))
        try await manager.create(Note(id: second, text: "b"))
        let (anyCopy, own) = (
            manager.reading(ReadConsistency(.replica)),
            manager.reading(ReadConsistency(.replica, including: try await manager.position()))
        )
        func texts(_ manager: StoreManager) async throws -> [String] {
            let count = try await manager.counts(Query<Note>(), by: .value(\.text)).count
            let texts = try await manager.read(Query<Note>()).items.map(\.text)
            #expect(count == texts.count)
            return texts
        }
        #expect(try await texts(own) == ["a", "b"])
        #expect(try await own.read([second]).count == 1)
        #expect(try await own.transaction { try await $0.require(second).text } == "b")
        let found = try await anyCopy.read(Query<Note>()).items.map(\.text)
        // The late copy has the second note after 5 s, and not before.
        #expect(found == ["a"] || ContinuousClock.now - start >= .seconds(5))
        while try await anyCopy.read([second]).isEmpty { try await Task.sleep(for: .milliseconds(100)) }
        #expect(ContinuousClock.now - start >= .seconds(5))
        #expect(try await texts(anyCopy) == ["a", "b"])
        await store.close()
    }

    @Test(.timeLimit(.minutes(3)))
    func `a long transaction of another client sends no reads to the primary, but a later token does`() async throws {
        let (server, store) = try await open()
        defer { server.keepAlive() }
        let configuration = PostgresStore.Configuration(server.connection())
        let (begun, ended) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let running = Task.detached {
            let connection = try PostgresConnection(configuration)
            try connection.execute(
                "SET idle_in_transaction_session_timeout TO 0; BEGIN; SELECT pg_current_xact_id()")
            begun.continuation.finish()
            for await _ in ended.stream {}
            try connection.execute("COMMIT")
        }
        for await _ in begun.stream {}
        let token = try await store.commit(ChangeSet(inserts: [Sample.note("a")])).token
        #expect(try await readFromReplica(store, including: token).contains(.text("a")))
        let later = ChangeToken(lifetime: token.lifetime, position: token.position + 1)
        #expect(try await !read(store, ReadConsistency(.replica, including: later)).isReplica)
        ended.continuation.finish()
        try await running.value
        await store.close()
    }

    @Test(.timeLimit(.minutes(3)))
    func `the primary answers while the replica is unavailable, and after it was promoted`() async throws {
        let (server, store) = try await open()
        defer { server.keepAlive() }
        let token = try await store.commit(ChangeSet(inserts: [Sample.note("a")])).token
        #expect(try await readFromReplica(store, including: token) == [.text("a")])
        try await server.controlStandby("stop -m fast")
        for _ in 0..<2 {
            let found = try await read(store, ReadConsistency(.replica, including: token))
            #expect(found.texts == [.text("a")] && !found.isReplica)
        }
        try await server.startStandby()
        #expect(try await readFromReplica(store, including: token) == [.text("a")])
        // A promoted replica accepts writes that the primary does not have.
        try await server.controlStandby("promote")
        try await server.onStandby("UPDATE note SET text = 'other'")
        for _ in 0..<2 {
            let found = try await read(store, ReadConsistency(.replica))
            #expect(found.texts == [.text("a")] && !found.isReplica)
        }
        await store.close()
    }

    @Test(.timeLimit(.minutes(3)))
    func `a replica of another store, and one that lacks the tables, are not used`() async throws {
        let (server, store) = try await open()
        defer { server.keepAlive() }
        let other = PostgresStore.Configuration(server.connection())
        try await Task.detached {
            for name in ["other", "empty"] { try PostgresConnection(other).execute("CREATE DATABASE \(name)") }
        }.value
        let foreign = try await PostgresStore.open(
            .init(server.connection(database: "other")), schemas: Self.schemas.get())
        _ = try await foreign.commit(ChangeSet(inserts: [Sample.note("foreign")]))
        await foreign.close()
        _ = try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
        while try await readFromReplica(store) != [.text("a")] {}
        await store.close()
        for database in ["other", "empty"] {
            let store = try await open(server, replica: server.standbyConnection(database: database))
            let found = try await read(store, ReadConsistency(.replica))
            #expect(found.texts == [.text("a")] && !found.isReplica)
            await store.close()
        }
        // An error of the settings is reported.
        let wrong = try await open(server, replica: "nonsense")
        await #expect(throws: PersistencyError.self) { _ = try await read(wrong, ReadConsistency(.replica)) }
        await wrong.close()
    }
}
private struct Note: Entity {
    let id: EntityID<Note>
    var text: String
    var rank = 0
}

private enum NoteMapper: EntityMapper {
    static let mapping = Mapping<Note>(
        "note", id: \.id, [.column("text", \.text).unique, .column("rank", \.rank).indexed])

    static func entity(from row: inout ObjectReader) throws -> Note {
        try Note(id: row.id(), text: row.next(), rank: row.next())
    }
}
#endif
