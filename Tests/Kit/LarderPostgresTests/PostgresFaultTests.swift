#if Postgres
import Foundation
import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderPostgres
import Testing

/// Commits while the server or a connection fails. Each test has its own server.
@Suite(.postgres, .serialized)
struct PostgresFaultTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    private func open(_ server: TestServer, _ options: String = "") async throws -> PostgresStore {
        let connection = server.connection() + (options.isEmpty ? "" : " options='\(options)'")
        // All commits of a load are retained.
        let journal = JournalBounds(changes: .max)
        return try await PostgresStore.open(.init(connection, journal: journal), schemas: Self.schemas.get())
    }

    @Test func `a connection that ends in a COMMIT that was rolled back is unavailable, and nothing is stored`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server)
        let other = PostgresStore.Configuration(server.connection())
        try await Task.detached {
            _ = try PostgresConnection(other).execute(
                """
                CREATE FUNCTION quit() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER quit AFTER INSERT ON larder_journal DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION quit()
                """)
        }.value
        // Only this connection runs deferred triggers of the journal after `SET CONSTRAINTS`.
        let note = Sample.note("a")
        let changes = ChangeSet(inserts: [note])
        await #expect(throws: PersistencyError.self) { try await store.commit(changes) }
        #expect(try await store.outcome(of: changes.id) == .absent)
        #expect(try await store.read(note.id, of: Sample.note) == nil)
        await store.close()
    }

    @Test(arguments: [false, true])
    func `a connection that is killed in a COMMIT that was stored is resolved once a replica has the commit`(
        isUpdate: Bool
    ) async throws {
        let server = try await TestServer.start("synchronous_commit = local\nsynchronous_standby_names = 'nobody'")
        defer { server.keepAlive() }
        let store = try await open(server, "-c synchronous_commit=local")
        let waiting = try await open(server, "-c synchronous_commit=on -c application_name=waiting")
        var note = Sample.note("a")
        // The number of roots that an update by query has changed is known, too.
        let other = Sample.note("b")
        let isOther = Condition.compare(.id, .equal, .literal(.id(other.id)))
        let bulk = BulkChange(Sample.note, where: isOther, [ColumnAssignment(column: 1, .set(.integer(7)))])
        var changes = ChangeSet(inserts: [note], bulk: bulk)
        if isUpdate {
            _ = try await store.commit(changes)
            let old = note
            note.values[1] = .integer(5)
            changes = ChangeSet(updates: [
                RootUpdate(note.key, expected: 1, changes: ObjectChanges(from: old, to: note))
            ])
            note.version = 2
        } else {
            _ = try await store.commit(ChangeSet(inserts: [other]))
        }
        let commit = changes
        async let receipt = waiting.commit(commit)
        let killed = try await Self.waitForReplication(store)
        try await server.run("kill -9 \(killed)")
        // The server has recovered and shows the commit, but has no replica: the commit is not acknowledged yet.
        _ = try await Self.waitForReplication(store, otherThan: killed)
        try await Self.run("ALTER SYSTEM SET synchronous_standby_names = ''", on: store)
        try await Self.run("SELECT pg_reload_conf()", on: store)
        #expect(try await receipt.bulkCount == (isUpdate ? 0 : 1))
        #expect(try await waiting.outcome(of: changes.id) == .stored)
        #expect(try await store.read(note.id, of: Sample.note) == note)
        await waiting.close()
        await store.close()
    }

    @Test func `a wait for a replica that was cut short is in doubt, not stored`() async throws {
        let server = try await TestServer.start("synchronous_commit = local\nsynchronous_standby_names = 'nobody'")
        defer { server.keepAlive() }
        let store = try await open(server, "-c synchronous_commit=local")
        let waiting = try await open(server, "-c synchronous_commit=on")
        let changes = ChangeSet(inserts: [Sample.note("a")])
        async let receipt = waiting.commit(changes)
        try await Self.run("SELECT pg_cancel_backend(\(try await Self.waitForReplication(store)))", on: store)
        do {
            _ = try await receipt
            Issue.record("the commit is acknowledged")
        } catch PersistencyError.inDoubt {}
        // As a failover that loses it.
        try await Self.run("DELETE FROM larder_journal WHERE position > 0", on: store)
        #expect(try await waiting.outcome(of: changes.id) == .absent)
        await waiting.close()
        await store.close()
    }

    @Test func `a connection to a former primary is replaced when the name of the server leads to the new one`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        try await server.run("ln -s $folder $folder/current")
        let connection = "host=\(server.folder)/current user=larder dbname=postgres"
        let store = try await PostgresStore.open(.init(connection), schemas: Self.schemas.get())
        let other = try await PostgresStore.open(
            .init(connection + " target_session_attrs=any"), schemas: Self.schemas.get())
        try await server.control("stop")
        try await server.run(
            "mkdir $folder/new && cp -r $folder/data $folder/new/data && touch $folder/data/standby.signal")
        try await server.control("start")
        for store in [store, other] {
            await #expect(throws: PersistencyError.self) {
                try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
            }
        }
        let new = "'\(TestServer.programs ?? "")/pg_ctl' -D $folder/new/data -w"
        try await server.run("\(new) -l $folder/log -o \"-c unix_socket_directories=$folder/new\" start")
        try await server.run("ln -sfn $folder/new $folder/current")
        for (number, store) in [store, other].enumerated() {
            await #expect(throws: Never.self) {
                try await store.commit(ChangeSet(inserts: [Sample.note("new \(number)")]))
            }
            await store.close()
        }
        try await server.run("\(new) -m immediate stop")
    }

    @Test(arguments: ["stop -m fast", "stop -m immediate", "kill"])
    func `no acknowledged commit is lost or doubled, and each in doubt is resolved, when the server ends under load`(
        how: String
    ) async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server)
        let rounds = RunSize.current.of(quick: 2, ci: 5, prove: 100)
        var (outage, all) = (Duration.zero, FaultLoad())
        let began = ContinuousClock.now
        for round in 0..<rounds {
            let load = Task { await FaultLoad.run(store, "\(round)") }
            try await Task.sleep(for: .milliseconds(150))
            if how == "kill" { try await server.killPostmaster() } else { try await server.control(how) }
            while (try? await server.control("start")) == nil { try await Task.sleep(for: .milliseconds(20)) }
            outage = max(outage, try await all.recover(store))
            load.cancel()
            all += await load.value
        }
        #expect(all.stored.count > 2 * rounds)
        try await all.check(store, PlainConnection(.init(server.connection())))
        print(
            RunReport(
                "postgres, \(how)",
                figure: "\(rounds) times, \(all.stored.count + all.updates) commits, \(all.inDoubt.count) in doubt, "
                    + "outage \(outage)",
                seed: nil, duration: ContinuousClock.now - began))
        #expect(outage < .seconds(2))
        await store.close()
    }

    /// The process of a connection that waits for a synchronous replica, once there is one.
    private static func waitForReplication(
        _ store: PostgresStore, otherThan other: String = ""
    ) async throws -> String {
        while true {
            let pid = try? await store.pool.run { connection, _ throws(PersistencyError) in
                let rows = try connection.run("SELECT pid::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                return rows.advance() ? rows.text(0) : ""
            }
            if let pid, !pid.isEmpty, pid != other { return pid }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func run(_ statement: String, on store: PostgresStore) async throws {
        try await store.pool.run { connection, _ throws(PersistencyError) in _ = try connection.execute(statement) }
    }
}
#endif
