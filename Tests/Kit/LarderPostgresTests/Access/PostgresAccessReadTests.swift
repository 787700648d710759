#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import Testing

/// Reads by SQL: what they return, which errors they have, and that nothing of them remains in the session.
@Suite(.postgres)
struct PostgresAccessReadTests {
    @Test func `a decorated PostgreSQL store has the feature, and other stores do not`() async throws {
        let bench = try await AccessBench("access_feature")
        let access = try #require(CachedStore(bench.store).feature(PostgresAccess.self))
        let rows = try await access.read { try $0.rows("SELECT id, text FROM note") }
        #expect(rows.map { $0["text"] } == [.text("kept")] && rows.first?.id("id") == bench.note.id)
        #expect(bench.store.feature((any MeasuredStore).self) != nil && bench.store.feature(SQLiteAccess.self) == nil)
        #expect(try MemoryStore(SchemaSet([Sample.note])).feature(PostgresAccess.self) == nil)
        await bench.end()
    }

    @Test func `a row has the names of its columns and typed values, and other types as PostgreSQL's text`()
        async throws
    {
        let bench = try await AccessBench("access_types")
        let row = try await bench.access.read { database in
            try database.rows(
                """
                SELECT NULL AS n, true AS t, false, 1::int2, -2::int4, 9223372036854775807 AS i, 3::oid, 0.1::float4,
                    2.5::float8 AS r, 'é' AS x, ''::text, 'a'::varchar, '\\x00ff'::bytea AS b, ''::bytea,
                    '00000000-0000-0001-0000-000000000002'::uuid AS id, 1.50::numeric, date '2026-11-29', '[1]'::jsonb,
                    ARRAY[1, 2], 7 AS n
                """)[0]
        }
        let id: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]
        #expect(
            row.values == [
                .null, .integer(1), .integer(0), .integer(1), .integer(-2), .integer(.max), .integer(3), .real(0.1),
                .real(2.5), .text("é"), .text(""), .text("a"), .blob([0, 255]), .blob([]), .blob(id), .text("1.50"),
                .text("2026-11-29"), .text("[1]"), .text("{1,2}"), .integer(7),
            ])
        #expect(row["n"] == .null && row["i"] == .integer(.max) && row["absent"] == nil)
        #expect(row.id("id") == RawID(high: 1, low: 2) && row.id("b") == nil)
        await bench.end()
    }

    @Test func `a parameter gets its value in the type that the statement gives it`() async throws {
        let bench = try await AccessBench("access_parameters")
        let values: [Value] = [
            .null, .integer(.min), .real(-0.5), .text("a'\\é"), .blob([0, 1, 255]), .blob([]),
            .id(RawID(high: 1, low: 2)), .integer(1), .text("2026-11-29"), .real(.leastNonzeroMagnitude),
        ]
        let row = try await bench.access.read { database in
            try database.rows(
                """
                SELECT $1::int, $2::bigint, $3::float8, $4, $5::bytea, $6::bytea, $7::uuid AS id, $8::boolean, $9::date,
                    $10::float8, repeat('x', $8::int + 1)
                """, values)[0]
        }
        #expect(row.id("id") == RawID(high: 1, low: 2))
        #expect(row.values.prefix(6) == values.prefix(6))
        #expect(row.values.suffix(4) == [.integer(1), .text("2026-11-29"), values[9], .text("xx")])
        await bench.end()
    }

    @Test func `a fault in a statement is an unsupported query with the server's code`() async throws {
        let bench = try await AccessBench("access_faults")
        let faults: [(String, [Value], String)] = [
            ("SELECT $1, $2", [.integer(1)], "the statement has 2 parameters, but the number of values is 1"),
            ("SELECT 1", [.null], "the statement has 0 parameters, but the number of values is 1"),
            ("SELECT $1", [.text("a\0b")], "a text must not contain U+0000, and bytes need"),
            ("SELECT $1::text", [.blob([1])], "a text must not contain U+0000, and bytes need"),
            ("SELECT 1; SELECT 2", [], "42601: cannot insert multiple commands"),
            ("", [], "the text contains no statement"), (" -- nothing\n;", [], "the text contains no statement"),
            ("SELECT 1\0 junk", [], "a statement must not contain U+0000"),
            ("SELECT FROM WHERE", [], "42601: syntax error"),
            ("SELECT * FROM absent", [], "42P01: relation \"absent\" does not exist"),
            ("SELECT absent FROM note", [], "42703: column \"absent\" does not exist"),
            ("SELECT $1 IS NULL", [.null], "42P18: could not determine data type"),
        ]
        for (text, values, message) in faults {
            let error = await persistencyError { _ = try await bench.access.read { try $0.rows(text, values) } }
            guard case .unsupportedQuery(let found) = error else {
                Issue.record("\(text): \(error as Any)")
                continue
            }
            #expect(found.contains(message), "\(text)")
        }
        #expect(try await bench.access.read { try $0.rows("/* a /* b */ */ (SELECT 1) ; -- the end") }.count == 1)
        await bench.end()
    }

    @Test func `a read refuses every statement that would write, or would change the transaction or session`()
        async throws
    {
        let bench = try await AccessBench("access_read_only")
        try await bench.owner.run(
            "CREATE FUNCTION wipe() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM note; RETURN 1; END $$")
        let (read, kind) = ("a read must not change the database; use PostgresAccess.write", "does not permit")
        let texts = [
            ("INSERT INTO svc VALUES (1)", read), ("UPDATE note SET rank = 1", read), ("DELETE FROM note", read),
            ("WITH d AS (DELETE FROM note RETURNING 1) SELECT * FROM d", read), ("TRUNCATE svc", read),
            ("SELECT wipe()", read), ("EXPLAIN ANALYZE DELETE FROM note", read), ("CREATE TABLE t (a int)", read),
            ("SELECT 1 AS a INTO t", read), ("SELECT * FROM note FOR UPDATE", read), ("DO 'BEGIN END'", read),
            ("SELECT nextval('larder_journal_position_seq')", read), ("CALL f()", read), ("COPY note TO STDOUT", kind),
            ("BEGIN", kind), ("COMMIT", kind), ("END", kind), ("ROLLBACK", kind), ("SAVEPOINT s", kind),
            ("SET TRANSACTION READ WRITE", kind), ("/* /* */ SELECT */ COMMIT", kind), (" ;(\n cOmMiT", kind),
            ("--\rCOMMIT /*\n SELECT */", kind), ("PREPARE p AS SELECT 1", kind), ("LISTEN c", kind),
            ("DISCARD ALL", kind), ("RESET ROLE", kind),
            ("SELECT set_config('transaction_read_only', 'off', true)", "must be set before any query"),
        ]
        for (text, reason) in texts {
            let error = await persistencyError { _ = try await bench.access.read { try $0.rows(text) } }
            #expect("\(error as Any)".contains(reason), "\(text): \(error as Any)")
        }
        try await bench.check("reads")
        #expect(try await bench.rows().isEmpty)
        await bench.end()
    }

    @Test func `a read sees all acknowledged commits, and one snapshot until it ends`() async throws {
        let bench = try await AccessBench("access_snapshot")
        let gates = (reading: BodyGate(), committed: BodyGate())
        let access = bench.access
        async let counts = access.read { database in
            func count() throws -> Value? { try database.rows("SELECT count(*) AS n FROM note")[0]["n"] }
            let first = try count()
            gates.reading.open()
            gates.committed.wait()
            return [first, try count()]
        }
        try await until { gates.reading.isOpen }
        _ = try await bench.store.commit(ChangeSet(inserts: [Sample.note("b")]))
        gates.committed.open()
        #expect(try await counts == [.integer(1), .integer(1)])
        #expect(try await bench.access.read { try $0.rows("SELECT FROM note").count } == 2)
        await bench.end()
    }

    @Test func `nothing of a read remains in the session, which further operations use`() async throws {
        let bench = try await AccessBench("access_session", connections: 1)
        @Sendable func state(_ connection: PostgresConnection) throws(PersistencyError) -> [String] {
            let row = try connection.execute(
                """
                SELECT pg_backend_pid()::text, current_setting('work_mem'), current_setting('search_path'),
                    (SELECT string_agg(classid || ' ' || objid, ',') FROM pg_locks
                        WHERE locktype = 'advisory' AND pid = pg_backend_pid())
                """)
            return row.advance() ? (0..<4).map(row.text) : []
        }
        let before = try await bench.store.pool.run { connection, _ throws(PersistencyError) in try state(connection) }
        await #expect(throws: OwnError()) {
            try await bench.access.read { database in
                _ = try database.rows(
                    """
                    SELECT pg_advisory_lock(77), set_config('work_mem', '1MB', false),
                        set_config('search_path', 'pg_temp', false)
                    """)
                throw OwnError()
            }
        }
        let after = try await bench.store.pool.run { connection, _ throws(PersistencyError) in try state(connection) }
        #expect(after == before && after.last?.contains(",") == false)
        await bench.end()
    }

    @Test(arguments: [false, true])
    func `a cancelled task does not start, and a long statement ends when its task is cancelled`(
        writes: Bool
    ) async throws {
        let bench = try await AccessBench("access_cancelled_\(writes)", connections: 1)
        let (access, started) = (bench.access, BodyGate())
        let task = Task {
            let body: @Sendable (PostgresDatabase) throws -> Void = { database in
                started.open()
                if writes { try database.run("INSERT INTO svc VALUES (1)") }
                _ = try database.rows("SELECT pg_sleep(600)")
            }
            if writes { try await access.write(body) } else { try await access.read(body) }
        }
        try await until { started.isOpen }
        task.cancel()
        let error = await persistencyError { try await task.value }
        guard case .cancelled = error else { return #expect(error != nil) }
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            if writes {
                _ = try await access.write { _ in Issue.record("it has started") }
            } else {
                _ = try await access.read { _ in Issue.record("it has started") }
            }
        }
        late.cancel()
        let unstarted = await persistencyError { try await late.value }
        guard case .cancelled = unstarted else { return #expect(unstarted != nil) }
        try await bench.check("cancelled")
        #expect(try await bench.rows().isEmpty)
        await bench.end()
    }

    @Test func `a write whose task is cancelled before its end stores nothing`() async throws {
        let bench = try await AccessBench("access_cancelled_late")
        let access = bench.access
        let gates = (written: BodyGate(), cancelled: BodyGate())
        let task = Task {
            try await access.write { database in
                try database.run("INSERT INTO svc VALUES (1)")
                gates.written.open()
                gates.cancelled.wait()
            }
        }
        try await until { gates.written.isOpen }
        task.cancel()
        gates.cancelled.open()
        let error = await persistencyError { try await task.value }
        guard case .cancelled = error else { return #expect(error != nil) }
        #expect(try await bench.rows().isEmpty)
        await bench.end()
    }

    @Test func `a statement has the time limit of the store, and its error has no password`() async throws {
        let bench = try await AccessBench("access_limit", statementTimeout: .milliseconds(300))
        var configuration = try await Scratch.configuration(bench.name)
        configuration.connection += " password=s3cret"
        configuration.statementTimeout = .milliseconds(300)
        let store = try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note]))
        let access = try #require(store.feature(PostgresAccess.self))
        let late = await Failure.unavailable { try await access.read { _ = try $0.rows("SELECT pg_sleep(600)") } }
        Failure.expect(late, .busy, ["exceeded its time limit", "57014"], hides: ["s3cret"])
        let lateWrite = await Failure.unavailable {
            try await access.write { _ = try $0.rows("SELECT pg_sleep(600)") }
        }
        Failure.expect(lateWrite, .busy, ["57014"], hides: ["s3cret"])
        let lost = await Failure.unavailable {
            try await access.read { _ = try $0.rows("SELECT pg_terminate_backend(pg_backend_pid())") }
        }
        Failure.expect(lost, .unreachable, [], hides: ["s3cret"])
        #expect(try await access.read { try $0.rows("SELECT FROM note").count } == 1)
        await store.close()
        await bench.end()
    }

    @Test func `a store that only reads has reads and refuses writes, and a closed one both`() async throws {
        let bench = try await AccessBench("access_closed")
        var configuration = try await Scratch.configuration(bench.name)
        configuration.access = .readOnly
        let reader = try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note]))
        let access = try #require(reader.feature(PostgresAccess.self))
        #expect(try await access.read { try $0.rows("SELECT FROM note").count } == 1)
        let refusal = await Failure.unavailable { _ = try await access.write { _ in Issue.record("it has started") } }
        #expect(refusal?.reason == .readOnly)
        await reader.close()
        for writes in [false, true] {
            let closed = await Failure.unavailable {
                if writes { try await access.write { _ in } } else { try await access.read { _ in } }
            }
            #expect(closed?.reason == .closed)
        }
        await bench.end()
    }

    @Test(.timeLimit(.minutes(3))) func `a store on a replica has reads, and a write says that it cannot write`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        try await server.startStandby()
        let schemas = try SchemaSet([Sample.note])
        let primary = try await PostgresStore.open(.init(server.connection()), schemas: schemas)
        _ = try await primary.commit(ChangeSet(inserts: [Sample.note("a")]))
        // The replica may not have the table yet.
        try await server.onStandby("SELECT to_regclass('note')::text", until: "note")
        try await server.onStandby("SELECT count(*)::text FROM note", until: "1")
        var configuration = PostgresStore.Configuration(
            server.standbyConnection() + " target_session_attrs=any", access: .readOnly)
        let replica = try await PostgresStore.open(configuration, schemas: schemas)
        let access = try #require(replica.feature(PostgresAccess.self))
        #expect(try await access.read { try $0.rows("SELECT text FROM note").map(\.values) } == [[.text("a")]])
        await replica.close()
        // Without the declaration, only the server knows it.
        configuration.access = .readWrite
        let writer = try await PostgresStore.open(configuration, schemas: schemas)
        let body: @Sendable (PostgresDatabase) throws -> Void = { try $0.run("CREATE TABLE svc (a int)") }
        let refusal = await Failure.unavailable { try await writer.feature(PostgresAccess.self)?.write(body) }
        #expect(refusal?.reason == .readOnly)
        await writer.close()
        await primary.close()
    }
}
#endif
