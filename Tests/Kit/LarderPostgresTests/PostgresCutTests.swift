#if Postgres
import LarderData
import LarderDomain
import LarderPostgres
import LarderStoreContract
import Testing

/// Connections that are cut at the end of a commit, while the server continues.
@Suite(.postgres, .serialized)
struct PostgresCutTests {
    private func open(_ connection: String) async throws -> PostgresStore {
        let configuration = PostgresStore.Configuration(
            connection, busyTimeout: .seconds(60), journal: JournalBounds(changes: .max))
        return try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note]))
    }

    private func server() async throws -> TestServer { try await Task.detached { try TestServer() }.value }

    @Test(arguments: CutProxy.Cut.allCases)
    func `no acknowledged commit is lost or doubled, and each in doubt is resolved, when connections are cut`(
        cut: CutProxy.Cut
    ) async throws {
        let server = try await server()
        defer { server.keepAlive() }
        let proxy = try CutProxy(to: "\(server.folder)/.s.PGSQL.5432")
        defer { proxy.close() }
        let store = try await open(proxy.connection)
        let rounds = RunSize.current.of(quick: 2, ci: 5, prove: 100)
        var (outage, all) = (Duration.zero, FaultLoad())
        let began = ContinuousClock.now
        let load = Task { await FaultLoad.run(store, "load") }
        for round in 0..<rounds {
            proxy.cutNext(cut)
            while proxy.cuts == round { try await Task.sleep(for: .milliseconds(1)) }
            outage = max(outage, try await all.recover(store))
        }
        load.cancel()
        all += await load.value
        #expect(proxy.cuts == rounds)
        if cut == .answer { #expect(all.refused.isEmpty) }
        try await all.check(store, PlainConnection(.init(server.connection())))
        print(
            RunReport(
                "postgres, cut \(cut.rawValue)",
                figure: "\(rounds) times, \(all.stored.count + all.updates) commits, \(all.refused.count) refused, "
                    + "\(all.inDoubt.count) in doubt, outage \(outage)",
                seed: nil, duration: ContinuousClock.now - began))
        #expect(outage < .seconds(2))
        await store.close()
    }

    @Test func `the outcome of a commit whose lost connection still runs its COMMIT waits for it, and is stored`()
        async throws
    {
        let server = try await server()
        defer { server.keepAlive() }
        let proxy = try CutProxy(to: "\(server.folder)/.s.PGSQL.5432")
        defer { proxy.close() }
        let (store, other) = (try await open(proxy.connection), try await open(server.connection()))
        let holder = try await PlainConnection(.init(server.connection()))
        try await holder.run(
            """
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_advisory_xact_lock(1, 2); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON larder_journal DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION pause()
            """, "SELECT pg_advisory_lock(1, 2)")
        proxy.cutNext(.afterForwarding)
        let note = Sample.note("a")
        let changes = ChangeSet(inserts: [note])
        async let receipt = store.commit(changes)
        try await holder.wait(until: PlainConnection.blocked)
        async let outcome = other.outcome(of: changes.id)
        // The COMMIT, and the two questions for its outcome.
        try await holder.wait(
            until: "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted HAVING count(*) = 3")
        #expect(proxy.cuts == 1)
        try await holder.run("SELECT pg_advisory_unlock(1, 2)")
        #expect(try await outcome == .stored)
        _ = try await receipt
        #expect(try await other.read(note.id, of: Sample.note) == note)
        for store in [store, other] { await store.close() }
    }
}
#endif
