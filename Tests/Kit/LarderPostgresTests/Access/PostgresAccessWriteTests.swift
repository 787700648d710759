#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import Testing

/// Writes by SQL, and their effects on the store.
@Suite(.postgres)
struct PostgresAccessWriteTests {
    @Test func `tables of the service can be created, changed, indexed and dropped`() async throws {
        let bench = try await AccessBench("access_tables")
        let counts = try await bench.access.write { database in
            for text in [
                "CREATE TABLE remark (id serial PRIMARY KEY, note uuid, text text UNIQUE)",
                "CREATE INDEX ON remark (note)", "CREATE TABLE change (text text)",
                "CREATE VIEW texts AS SELECT r.text, n.text AS note FROM remark r LEFT JOIN note n ON n.id = r.note",
                "CREATE MATERIALIZED VIEW ranks AS SELECT max(rank) FROM note",
                """
                CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN INSERT INTO change VALUES (NEW.text); RETURN NULL; END $$
                """,
                "CREATE TRIGGER t AFTER INSERT ON remark FOR EACH ROW EXECUTE FUNCTION log()",
            ] { try database.run(text) }
            let inserted = try database.run(
                "INSERT INTO remark (note, text) VALUES ($1, 'a'), ($1, 'b')", [.id(bench.note.id)])
            let updated = try database.run("UPDATE remark SET text = text || '!'")
            let returned = try database.rows("DELETE FROM remark WHERE text = 'b!' RETURNING text")
            #expect(returned.map(\.values) == [[.text("b!")]])
            let selected = try database.run("WITH kept AS (SELECT * FROM note FOR UPDATE) SELECT * FROM kept")
            for text in [
                "ALTER TABLE remark ADD COLUMN more int REFERENCES svc", "COMMENT ON TABLE remark IS 'x'",
                "GRANT SELECT ON remark TO PUBLIC", "ANALYZE remark", "REFRESH MATERIALIZED VIEW ranks",
                "DO $$ BEGIN BEGIN DELETE FROM note; RAISE 'x'; EXCEPTION WHEN OTHERS THEN NULL; END; END $$",
            ] { try database.run(text) }
            return [inserted, updated, selected, try database.run("CREATE TABLE third AS SELECT * FROM note")]
        }
        #expect(counts == [2, 2, 0, 0])
        let rows = try await bench.access.read { database in
            try database.rows("SELECT *, (SELECT count(*) FROM change) AS n FROM texts")
        }
        #expect(rows.map(\.values) == [[.text("a!"), .text("kept"), .integer(2)]])
        try await bench.access.write { database in
            for drop in ["VIEW texts", "MATERIALIZED VIEW ranks", "TABLE remark, change", "TABLE third"] {
                try database.run("DROP \(drop)")
            }
        }
        try await bench.check("tables")
        await bench.end()
    }

    @Test func `a body that throws leaves nothing, whichever statement was the last`() async throws {
        let bench = try await AccessBench("access_throws")
        await #expect(throws: OwnError()) {
            try await bench.access.write { database in
                try database.run("INSERT INTO svc VALUES (1)")
                throw OwnError()
            }
        }
        let trouble = await Failure.unavailable {
            try await bench.access.write { database in
                try database.run("INSERT INTO svc VALUES (1)")
                try database.run("INSERT INTO svc VALUES (1)")
            }
        }
        Failure.expect(trouble, .failed, ["23505: duplicate key value"])
        #expect(try await bench.rows().isEmpty)
        await bench.end()
    }

    @Test(arguments: [false, true])
    func `a body that continues after an error fails, because the transaction can only be rolled back`(
        continues: Bool
    ) async throws {
        let bench = try await AccessBench("access_continues_\(continues)")
        let trouble = await Failure.unavailable {
            try await bench.access.write { database in
                try database.run("INSERT INTO svc VALUES (1)")
                #expect(throws: PersistencyError.self) { try database.run("SELECT 1 / 0") }
                if continues { try database.run("INSERT INTO svc VALUES (2)") }
            }
        }
        Failure.expect(trouble, .failed, ["a statement has rolled back the transaction, so nothing was stored"])
        #expect(try await bench.rows().isEmpty)
        await bench.end()
    }

    @Test func `deferred constraints among tables of the service are checked before the commit`() async throws {
        let bench = try await AccessBench("access_deferred")
        try await bench.access.write { database in
            try database.run(
                "CREATE TABLE item (a int REFERENCES svc DEFERRABLE INITIALLY DEFERRED, EXCLUDE USING btree (a WITH =))"
            )
            try database.run("INSERT INTO item VALUES (1)")
            try database.run("INSERT INTO svc VALUES (1)")
        }
        let faults = [("INSERT INTO item VALUES (2)", "23503"), ("INSERT INTO item VALUES (1)", "23P01")]
        for (text, code) in faults {
            let trouble = await Failure.unavailable { _ = try await bench.access.write { try $0.run(text) } }
            Failure.expect(trouble, .failed, [code])
        }
        #expect(try await bench.access.read { try $0.rows("SELECT a FROM item").map(\.values) } == [[.integer(1)]])
        await bench.end()
    }

    @Test func `a change of a row that a concurrent transaction has changed is contention`() async throws {
        let bench = try await AccessBench("access_contention")
        try await bench.access.write { try $0.run("INSERT INTO svc VALUES (1)") }
        let gates = (reading: BodyGate(), changed: BodyGate())
        let access = bench.access
        async let error = persistencyError {
            try await access.write { database in
                _ = try database.rows("SELECT a FROM svc")
                gates.reading.open()
                gates.changed.wait()
                try database.run("UPDATE svc SET a = a + 1")
            }
        }
        try await until { gates.reading.isOpen }
        try await bench.owner.run("UPDATE svc SET a = 5")
        gates.changed.open()
        guard case .contention(let message) = await error else { return #expect(await error != nil) }
        #expect(message.contains("40001"))
        #expect(try await bench.rows() == [.integer(5)])
        await bench.end()
    }

    @Test func `streams and receipts pass the position of a write, which is none of the store's commits`() async throws
    {
        let bench = try await AccessBench("access_stream")
        let token = try await bench.store.commit(ChangeSet(inserts: [Sample.note("first")])).token
        var changes = await bench.store.changes(after: token).makeAsyncIterator()
        try await bench.access.write { try $0.run("INSERT INTO svc VALUES (1)") }
        let receipt = try await bench.store.commit(ChangeSet(inserts: [Sample.note("second")]))
        guard case .commit(let commit) = await changes.next() else { return #expect(Bool(false)) }
        #expect(commit.token == receipt.token)
        #expect(receipt.token.position == token.position + 2)
        await bench.end()
    }

    @Test func `writes and commits at the same time are all stored`() async throws {
        let bench = try await AccessBench("access_concurrent")
        let (store, access) = (bench.store, bench.access)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = try await store.commit(ChangeSet(inserts: [Sample.note("note \(number)")])) }
                group.addTask {
                    let value = Value.integer(Int64(number))
                    _ = try await access.write { try $0.run("INSERT INTO svc VALUES ($1)", [value]) }
                }
                group.addTask { _ = try await access.read { try $0.rows("SELECT * FROM svc, note") } }
            }
            try await group.waitForAll()
        }
        #expect(try await bench.rows() == (0..<20).map { .integer($0) })
        #expect(try await store.read(ReadRequest(Sample.note)).items.count == 21)
        await bench.end()
    }

    @Test func `settings, roles, locks and temporary tables of a write end with it`() async throws {
        let bench = try await AccessBench("access_left", connections: 1)
        try await bench.owner.run(
            "DO $$ BEGIN CREATE ROLE access_guest; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
            "GRANT USAGE ON SCHEMA access_left TO access_guest", "GRANT INSERT ON svc TO access_guest")
        try await bench.access.write { database in
            // A table of the same name as the journal, and a role without rights on that.
            for text in [
                "CREATE TEMP TABLE larder_journal (LIKE larder_journal INCLUDING ALL)",
                "CREATE TEMP TABLE note (a int)",
                "SELECT pg_advisory_lock(4711), pg_advisory_unlock_all(), pg_advisory_lock(4711)",
                "SELECT set_config('search_path', 'pg_temp, access_left', false), set_config('work_mem', '1MB', false)",
                "DO $$ BEGIN EXECUTE 'PREPARE p AS SELECT 1'; EXECUTE 'LISTEN c'; END $$",
                "SELECT set_config('role', 'access_guest', false)", "INSERT INTO svc VALUES (1)",
            ] { try database.run(text) }
        }
        #expect(try await bench.rows() == [.integer(1)])
        try await bench.check("the next use of the connection")
        let left = try await bench.access.read { database in
            try database.rows(
                """
                SELECT current_setting('work_mem') = '1MB', current_user = 'access_guest', to_regclass('pg_temp.note'),
                    (SELECT count(*) FROM pg_prepared_statements WHERE name = 'p')
                """)[0]
        }
        #expect(left.values == [.integer(0), .integer(0), .null, .integer(0)])
        // The server releases it when it has seen the end of the connection.
        try await bench.owner.wait(until: "SELECT WHERE pg_try_advisory_lock(4711)")
        try await bench.owner.run("SELECT pg_advisory_unlock(4711)")
        let marked = try await bench.owner.count("SELECT FROM larder_journal WHERE size = 0 AND position > 0")
        #expect(marked == 1)
        await bench.end()
    }

    @Test func `a role without special rights writes and is refused in the same way, and a missing right has its code`()
        async throws
    {
        await Scratch.drop("access_plain")
        try? await Scratch.run("DROP OWNED BY access_plain")
        try await Scratch.run(
            "DROP ROLE IF EXISTS access_plain", "CREATE ROLE access_plain LOGIN",
            "CREATE SCHEMA access_plain AUTHORIZATION access_plain")
        let server = try await TestServer.shared.value
        let store = try await PostgresStore.open(
            .init(server.connection(user: "access_plain"), schema: "access_plain"), schemas: SchemaSet([Sample.note]))
        let access = try #require(store.feature(PostgresAccess.self))
        try await access.write { database in
            try database.run("CREATE TABLE svc (a int)")
            try database.run("INSERT INTO svc VALUES (1)")
        }
        #expect(try await access.read { try $0.rows("SELECT a FROM svc").map(\.values) } == [[.integer(1)]])
        let error = await persistencyError { try await access.write { try $0.run("TRUNCATE note") } }
        guard case .unsupportedQuery(let message) = error else { return #expect(error != nil) }
        #expect(message.contains("note belongs to the store"))
        let missing = await Failure.unavailable { _ = try await access.write { try $0.run("CREATE SCHEMA other") } }
        Failure.expect(missing, .failed, ["a right is missing", "42501"])
        await store.close()
        await Scratch.drop("access_plain")
    }

    @Test func `a store that a restore has replaced refuses a write`() async throws {
        let bench = try await AccessBench("access_replaced")
        let other = try await PostgresStore.open(
            Scratch.configuration(bench.name), schemas: SchemaSet([Sample.note]))
        try await other.renew()
        let trouble = await Failure.unavailable {
            _ = try await bench.access.write { try $0.run("INSERT INTO svc VALUES (1)") }
        }
        Failure.expect(trouble, .failed, ["a restore has replaced the store"])
        #expect(try await bench.owner.count("SELECT FROM svc") == 0)
        await bench.end()
    }
}
#endif
