#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import Testing

/// The outcome of a write by SQL whose connection is lost during `COMMIT`. Each test has its own server.
@Suite(.postgres, .serialized)
struct PostgresAccessOutcomeTests {
    private func open(_ connection: String) async throws -> PostgresStore {
        try await PostgresStore.open(.init(connection), schemas: SchemaSet([Sample.note]))
    }

    private static func insert(_ number: Int, _ store: PostgresStore) async throws {
        let access = try #require(store.feature(PostgresAccess.self))
        try await access.write { try $0.run("INSERT INTO svc VALUES ($1)", [.integer(Int64(number))]) }
    }

    @Test(arguments: CutProxy.Cut.allCases)
    func `a write whose connection is cut in COMMIT is acknowledged if it is stored, and fails if not`(
        cut: CutProxy.Cut
    ) async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let proxy = try CutProxy(to: "\(server.folder)/.s.PGSQL.5432")
        defer { proxy.close() }
        let store = try await open(proxy.connection)
        try await store.feature(PostgresAccess.self)?.write { try $0.run("CREATE TABLE svc (a int)") }
        var stored: [Value] = []
        for number in 0..<5 {
            proxy.cutNext(cut)
            let error = await persistencyError { try await Self.insert(number, store) }
            if error == nil { stored.append(.integer(Int64(number))) }
            #expect(error == nil || error?.postgresError?.isDisconnection == true)
            #expect(proxy.cuts == number + 1)
        }
        switch cut {
        case .beforeForwarding: #expect(stored.isEmpty)
        case .afterForwarding: break
        case .answer: #expect(stored.count == 5)
        }
        let found = try await store.feature(PostgresAccess.self)?.read { try $0.rows("SELECT a FROM svc ORDER BY a") }
        #expect(found?.map { $0.values[0] } == stored)
        await store.close()
    }

    @Test func `the outcome of a write whose lost connection still runs its COMMIT waits for it, and is stored`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let proxy = try CutProxy(to: "\(server.folder)/.s.PGSQL.5432")
        defer { proxy.close() }
        let store = try await open(proxy.connection)
        let holder = try await PlainConnection(.init(server.connection()))
        try await holder.run(
            """
            CREATE TABLE svc (a int);
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_advisory_xact_lock(1, 2); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON larder_journal DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION pause()
            """, "SELECT pg_advisory_lock(1, 2)")
        proxy.cutNext(.afterForwarding)
        async let write: Void = Self.insert(1, store)
        // The COMMIT, and the question for its outcome.
        try await holder.wait(
            until: "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted HAVING count(*) = 2")
        #expect(proxy.cuts == 1)
        try await holder.run("SELECT pg_advisory_unlock(1, 2)")
        try await write
        #expect(try await holder.count("SELECT FROM svc") == 1)
        await store.close()
    }

    @Test(.timeLimit(.minutes(3)))
    func `a write that is stored, but not replicated in time, is in doubt, and never absent`() async throws {
        let server = try await TestServer.start("synchronous_commit = local\nsynchronous_standby_names = 'nobody'")
        defer { server.keepAlive() }
        let holder = try await PlainConnection(.init(server.connection()))
        let store = try await open(server.connection())
        try await holder.run("CREATE TABLE svc (a int)")
        let waiting = try await open(server.connection() + " options='-c synchronous_commit=on'")
        async let error = persistencyError { try await Self.insert(1, waiting) }
        let wait = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        try await holder.wait(until: wait)
        guard case .inDoubt(let id, _) = await error else { return #expect(await error != nil) }
        #expect(try await holder.count("SELECT FROM svc") == 1)
        // Another store does not wait for the replica.
        #expect(try await store.outcome(of: id) == .stored)
        try await holder.run("ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")
        #expect(try await waiting.outcome(of: id) == .stored)
        for store in [store, waiting] { await store.close() }
    }
}
#endif
