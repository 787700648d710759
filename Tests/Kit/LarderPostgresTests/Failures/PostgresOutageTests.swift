#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// States of a server in which it refuses operations. Each test has its own server.
@Suite(.postgres, .serialized)
struct PostgresOutageTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    private func open(_ connection: String, connections: Int = 2) async throws -> PostgresStore {
        try await PostgresStore.open(.init(connection, connections: connections), schemas: Self.schemas.get())
    }

    @Test func `operations are unavailable while the server is stopped, and the next one after its start works`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server.connection())
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        try await server.control("stop -m immediate")
        let start = ContinuousClock.now
        let operations: [@Sendable () async throws -> Void] = [
            { _ = try await store.read(note.id, of: Sample.note) },
            { _ = try await store.read(ReadRequest(Sample.note)) },
            { _ = try await store.counts(CountRequest(Sample.note, where: .always(true), by: .column(1))) },
            { _ = try await store.commit(ChangeSet(inserts: [Sample.note("b")])) },
            { _ = try await store.commit(ChangeSet()) },
            { _ = try await store.outcome(of: CommitID()) },
        ]
        await withTaskGroup { group in
            for operation in operations + operations {
                group.addTask {
                    let trouble = await Failure.unavailable(operation)
                    Failure.expect(trouble, .unreachable, ["check that the server is running"])
                }
            }
        }
        // None waits for a connection that cannot be opened.
        let failed = ContinuousClock.now - start
        #expect(failed < .seconds(5))
        try await server.control("start")
        let restart = ContinuousClock.now
        #expect(try await store.read(ReadRequest(Sample.note)).items == [note])
        _ = try await store.commit(ChangeSet(inserts: [Sample.note("b")]))
        let recovered = ContinuousClock.now - restart
        print("proof: postgres, stopped: 12 operations failed in \(failed), recovery in \(recovered)")
        await store.close()
    }

    @Test func `a replica is read-only until it is promoted, and a list of hosts finds the primary`() async throws {
        let (server, primary) = (try await TestServer.start(), try await TestServer.start())
        defer { for one in [server, primary] { one.keepAlive() } }
        // By default, a replica is not connected to.
        let anyServer = server.connection() + " target_session_attrs=any"
        let store = try await open(anyServer)
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        try await server.control("stop -m fast")
        try await server.run("touch '\(server.folder)/data/standby.signal'")
        try await server.control("start")
        #expect(try await store.read(ReadRequest(Sample.note)).items == [note])
        let advice = ["connect to the primary", "target_session_attrs=read-write", "25006"]
        let commit = await Failure.unavailable { _ = try await store.commit(ChangeSet(inserts: [Sample.note("b")])) }
        Failure.expect(commit, .readOnly, advice)
        let creation = await Failure.unavailable {
            _ = try await PostgresStore.open(.init(anyServer), schemas: SchemaSet([Sample.note, Sample.tag]))
        }
        Failure.expect(creation, .readOnly, advice)

        let hosts = "host=\(server.folder),\(primary.folder) user=larder dbname=postgres"
        let writing = try await open("\(hosts) target_session_attrs=read-write")
        _ = try await writing.commit(ChangeSet(inserts: [Sample.note("c")]))
        let reading = try await open("\(hosts) target_session_attrs=standby")
        #expect(try await reading.read(ReadRequest(Sample.note)).items == [note])

        try await server.control("promote")
        _ = try await store.commit(ChangeSet(inserts: [Sample.note("b")]))
        for store in [store, writing, reading] { await store.close() }
    }

    @Test func `a server that only permits reading transactions is read-only`() async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server.connection())
        let reading = try await open(
            server.connection() + " target_session_attrs=any options='-c default_transaction_read_only=on'")
        let note = Sample.note("a")
        let update = RootUpdate(note.key, expected: 1, changes: ObjectChanges())
        _ = try await store.commit(ChangeSet(inserts: [note]))
        for changes in [ChangeSet(inserts: [Sample.note("b")]), ChangeSet(updates: [update])] {
            let trouble = await Failure.unavailable { _ = try await reading.commit(changes) }
            Failure.expect(trouble, .readOnly, ["default_transaction_read_only", "25006"])
        }
        #expect(try await reading.read(ReadRequest(Sample.note)).items == [note])
        await reading.close()
        await store.close()
    }

    @Test func `a commit to a primary that became read-only looks for another one, and refuses that of another store`()
        async throws
    {
        let (first, second) = (try await TestServer.start(), try await TestServer.start())
        defer { for one in [first, second] { one.keepAlive() } }
        await (try open(second.connection())).close()
        let store = try await open(
            "host=\(first.folder),\(second.folder) user=larder dbname=postgres target_session_attrs=read-write",
            connections: 1)
        let folder: () async throws -> String = {
            try await store.pool.run { connection, _ throws(PersistencyError) in
                let row = try connection.run("SELECT current_setting('unix_socket_directories')")
                return row.advance() ? row.text(0) : ""
            }
        }
        #expect(try await folder() == first.folder)
        try await store.pool.run { connection, _ throws(PersistencyError) in
            try connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
            try connection.execute("SELECT pg_reload_conf()")
        }
        // The reload takes effect later.
        var trouble: Unavailable?
        let limit = ContinuousClock.now.advanced(by: .seconds(60))
        while trouble == nil {
            try #require(ContinuousClock.now < limit, "the server still permits writes")
            do {
                _ = try await store.commit(ChangeSet(inserts: [Sample.note("\(ContinuousClock.now)")]))
                try await Task.sleep(for: .milliseconds(10))
            } catch PersistencyError.unavailable(let found) {
                trouble = found
            }
        }
        Failure.expect(trouble, .failed, ["a restore has replaced the store"])
        #expect(try await folder() == second.folder)
        await store.close()
    }

    @Test func `a server that starts or stops is unavailable, and says so`() async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server.connection(), connections: 1)
        // It waits for the store's connection.
        try await server.control("stop -m smart -W")
        try await expectTransition(server)
        _ = try await store.read(ReadRequest(Sample.note))
        await store.close()
        // Fails if the server has already stopped.
        try? await server.control("stop -m fast")
        // It waits for a primary, and refuses to be read until then.
        try await server.run(
            "touch '\(server.folder)/data/standby.signal'; echo hot_standby=off >> '\(server.folder)/data/postgresql.conf'"
        )
        try await server.control("start -W")
        try await expectTransition(server)
        // Without hot standby, the server would count as started before its recovery ends.
        try await server.run(
            "rm '\(server.folder)/data/standby.signal'; sed -i /hot_standby=off/d '\(server.folder)/data/postgresql.conf'"
        )
        try await server.control("restart -m immediate")
        await (try open(server.connection())).close()
    }

    /// Expects that the server is starting or stopping, soon.
    private func expectTransition(_ server: TestServer) async throws {
        let limit = ContinuousClock.now.advanced(by: .seconds(60))
        var trouble: Unavailable?
        while trouble?.message.contains("57P03") != true {
            try #require(ContinuousClock.now < limit, "\(trouble as Any)")
            do {
                await (try open(server.connection())).close()
            } catch PersistencyError.unavailable(let found) {
                trouble = found
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Failure.expect(trouble, .unreachable, ["the server is starting or stopping: try again"])
    }

    @Test func `a connection that the server ended because it was idle is replaced without an error`() async throws {
        let server = try await TestServer.start("idle_session_timeout = 50ms")
        defer { server.keepAlive() }
        let store = try await open(server.connection(), connections: 1)
        let observer = try await open(server.connection() + " options='-c idle_session_timeout=0'")
        for number in 0..<3 {
            let note = Sample.note("\(number)")
            _ = try await store.commit(ChangeSet(inserts: [note]))
            var count: Int64 = 2
            while count > 1 {
                count = try await observer.pool.run { connection, _ throws(PersistencyError) in
                    let row = try connection.run(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'larder'")
                    return row.advance() ? row.integer(0) : 0
                }
            }
            #expect(try await store.read(note.id, of: Sample.note) == note)
        }
        await observer.close()
        await store.close()
    }

    @Test func `a full device refuses a commit without a trace, and the store works when there is space`() async throws
    {
        let server = try await TestServer.start("autovacuum = off")
        defer { server.keepAlive() }
        try await server.control("stop -m fast")
        // A limit of files is like a full device: a write is short. A file of the write-ahead log has 16 MiB, and the limit
        // in units of 512 bytes is half a page more.
        let start =
            "'\(TestServer.programs ?? "")/pg_ctl' -D '\(server.folder)/data' -l '\(server.folder)/log' -w -s start"
        try await server.run("ulimit -f \((16 << 20) / 512 + 8); \(start)")
        let store = try await open(server.connection())
        // Random, so that the server cannot compress it.
        let text = String(decoding: (0..<1 << 20).map { _ in UInt8.random(in: 33...126) }, as: UTF8.self)
        var (stored, refused): (Set<RawID>, ChangeSet?) = ([], nil)
        while refused == nil {
            try #require(stored.count < 64, "the limit has no effect")
            let note = Sample.note("\(stored.count) \(text)")
            let changes = ChangeSet(inserts: [note])
            do {
                _ = try await store.commit(changes)
                stored.insert(note.id)
            } catch PersistencyError.unavailable(let trouble) {
                Failure.expect(trouble, .full, ["the server's device is full: free space", "53100"])
                refused = changes
            }
        }
        let changes = try #require(refused)
        #expect(try await store.outcome(of: changes.id) == .absent)
        #expect(try await ids(store) == stored)
        try await server.control("stop -m fast")
        try await server.control("start")
        _ = try await store.commit(changes)
        #expect(try await ids(store) == stored.union(changes.inserts.map(\.id)))
        await store.close()
    }

    private func ids(_ store: PostgresStore) async throws -> Set<RawID> {
        Set(try await store.read(ReadRequest(Sample.note)).items.map(\.id))
    }
}
#endif
