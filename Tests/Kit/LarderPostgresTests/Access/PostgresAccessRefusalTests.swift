#if Postgres
import LarderData
import LarderDomain
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import Testing

/// A way to change what belongs to the store, which a write refuses.
struct Circumvention: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The statements of the body.
    let statements: [String]
    /// What the owner of the database has done before.
    var before: [String] = []
    /// The name in the refusal.
    var relation = "note"

    static let wipe =
        "CREATE FUNCTION wipe() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM note; RETURN 1; END $$"
    static let fire =
        "CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM note; RETURN NULL; END $$"

    private static func by(_ name: String, _ statements: String...) -> Circumvention {
        Circumvention(testDescription: name, statements: statements)
    }

    private static func by(
        _ name: String, _ statements: [String], before: [String] = [], _ relation: String = "note"
    ) -> Circumvention {
        Circumvention(testDescription: name, statements: statements, before: before, relation: relation)
    }

    static let rows = [
        by("insertion", "INSERT INTO note SELECT gen_random_uuid(), 1, 'x', 1"),
        by("update", "UPDATE note SET rank = 1"),
        by("deletion of no row", "DELETE FROM note WHERE false"), by("quoted name", "DELETE FROM \"note\""),
        by("escaped name", "DELETE FROM U&\"n\\006fte\""), by("schema", "DELETE FROM $schema.note"),
        by("only", "DELETE FROM ONLY note"), by("truncation", "TRUNCATE svc, note"),
        by("common table expression", "WITH d AS (DELETE FROM note RETURNING 1) SELECT count(*) FROM d"),
        by("explanation", "EXPLAIN ANALYZE DELETE FROM note"),
        by("do block", "DO $$ BEGIN DELETE FROM note; END $$"),
        by("copy", "DO $$ BEGIN EXECUTE 'COPY note FROM PROGRAM ''true'''; END $$"),
        by(
            "prepared statement", "DO $$ BEGIN EXECUTE 'PREPARE p AS DELETE FROM note'; EXECUTE 'EXECUTE p'; END $$"),
        by("replaced statements", "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; DELETE FROM note; END $$"),
        by("function", wipe, "SELECT wipe()"),
        by("function of its definer", ["SELECT wipe()"], before: [wipe + " SECURITY DEFINER"]),
        by(
            "procedure",
            "CREATE PROCEDURE clear() LANGUAGE sql AS 'DELETE FROM note'", "CALL clear()"),
        by("updatable view", "CREATE VIEW notes AS SELECT * FROM note", "DELETE FROM notes"),
        by("rule", "CREATE RULE also AS ON INSERT TO svc DO ALSO DELETE FROM note", "INSERT INTO svc VALUES (1)"),
        by(
            "trigger", ["INSERT INTO svc VALUES (1)"],
            before: [fire, "CREATE TRIGGER t AFTER INSERT ON svc FOR EACH ROW EXECUTE FUNCTION fire()"]),
        by(
            "deferred trigger", fire,
            "CREATE CONSTRAINT TRIGGER t AFTER INSERT ON svc DEFERRABLE INITIALLY DEFERRED "
                + "FOR EACH ROW EXECUTE FUNCTION fire()", "INSERT INTO svc VALUES (1)"),
        by(
            "cascade", ["INSERT INTO svc VALUES (1)", "DELETE FROM svc"],
            before: ["ALTER TABLE note ADD COLUMN svc int REFERENCES svc ON DELETE CASCADE"]),
        by(
            "search path and a temporary table", "CREATE TEMP TABLE note (a int)",
            "SELECT set_config('search_path', 'pg_temp', false)", "DELETE FROM $schema.note"),
        by(
            "hidden locks", "CREATE TEMP VIEW pg_locks AS SELECT * FROM pg_catalog.pg_locks WHERE false",
            "CREATE TEMP VIEW pg_class AS SELECT * FROM pg_catalog.pg_class WHERE false", "DELETE FROM note"),
        by(
            "hidden functions",
            [
                "CREATE FUNCTION $schema.pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT 0'",
                "CREATE FUNCTION $schema.same(oid, oid) RETURNS bool LANGUAGE sql AS 'SELECT false'",
                "CREATE OPERATOR $schema.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = $schema.same)",
                "SELECT set_config('search_path', '$schema, pg_catalog', false)", "DELETE FROM note",
            ]),
        by("another role", ["SELECT set_config('role', 'access_crew', false)", "DELETE FROM note"], before: role),
        by(
            "another user", ["SELECT set_config('session_authorization', 'access_crew', false)", "DELETE FROM note"],
            before: role),
        by("journal", ["UPDATE larder_journal SET size = 0 WHERE false"], "larder_journal"),
        by("record of the schema", ["DELETE FROM larder_schema"], "larder_schema"),
        by("sequence", ["SELECT nextval('larder_journal_position_seq')"], "larder_journal_position_seq"),
        by("restarted sequence", ["ALTER SEQUENCE larder_journal_position_seq RESTART"], "larder_journal_position_seq"),
    ]

    private static let role = [
        "DO $$ BEGIN CREATE ROLE access_crew; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        "GRANT USAGE ON SCHEMA $schema TO access_crew", "GRANT ALL ON note TO access_crew",
    ]

    static let definitions = [
        by("dropped table", "DROP TABLE note CASCADE"), by("new column", "ALTER TABLE note ADD COLUMN more int"),
        by("renamed table", "ALTER TABLE note RENAME TO other"),
        by("renamed column", "ALTER TABLE note RENAME rank TO r"),
        by("moved table", "CREATE SCHEMA $schema_other", "ALTER TABLE note SET SCHEMA $schema_other"),
        by("replaced table", "ALTER TABLE note RENAME TO other", "CREATE TABLE note (LIKE other INCLUDING ALL)"),
        by("new index", "CREATE INDEX ON note (rank, text)"), by("reindexing", "REINDEX TABLE note"),
        by("clustering", "CLUSTER note USING note_pkey"), by("analysis", "ANALYZE note"),
        by("new trigger", fire, "CREATE TRIGGER t AFTER INSERT ON note EXECUTE FUNCTION fire()"),
        by("disabled triggers", "ALTER TABLE note DISABLE TRIGGER ALL"),
        by("new rule", "CREATE RULE no AS ON DELETE TO note DO INSTEAD NOTHING"),
        by("policies", "ALTER TABLE note ENABLE ROW LEVEL SECURITY"), by("comment", "COMMENT ON TABLE note IS 'x'"),
        by("statistics", "CREATE STATISTICS st ON rank, text FROM note"),
        by("lock", "LOCK TABLE note IN EXCLUSIVE MODE"), by("rights", "GRANT SELECT ON note TO PUBLIC"),
        by("rights on a column", "GRANT SELECT (rank) ON note TO PUBLIC"),
        by("withdrawn rights", "REVOKE ALL ON note FROM CURRENT_USER"),
        by("inheritance", "CREATE TABLE heir () INHERITS (note)"),
        by("foreign key", "CREATE TABLE remark (note uuid REFERENCES note ON DELETE CASCADE)"),
        by("later foreign key", "ALTER TABLE svc ADD COLUMN note uuid REFERENCES note"),
        by("catalog", "UPDATE pg_class SET relname = 'other' WHERE oid = '$schema.note'::regclass"),
        by("dropped index", ["DROP INDEX larder_journal_commit_id"], "larder_journal"),
        by("renamed index", ["ALTER INDEX larder_journal_commit_id RENAME TO a"], "larder_journal_commit_id"),
        by("reserved name", ["CREATE TABLE larder_notes (a int)"], "larder_notes"),
        by("reserved view", ["CREATE VIEW larder_view AS SELECT 1"], "larder_view"),
        by("reserved new name", ["ALTER TABLE svc RENAME TO larder_svc"], "larder_svc"),
        by("renamed schema", ["ALTER SCHEMA $schema RENAME TO $schema_other"], "larder_history"),
        by("dropped schema", ["DROP SCHEMA $schema CASCADE"], "larder_history"),
        by("dropped by owner", ["DROP TABLE larder_history"], "larder_history"),
    ]
}

/// What writes by SQL refuse. The server decides, and not the text of the statement.
@Suite(.postgres, .serialized)
struct PostgresAccessRefusalTests {
    @Test(arguments: Circumvention.rows + Circumvention.definitions)
    func `a write refuses every change of what belongs to the store`(way: Circumvention) async throws {
        let bench = try await AccessBench("access_refusal")
        func named(_ text: String) -> String { text.replacing("$schema", with: bench.name) }
        for text in way.before { try await bench.owner.run(named(text)) }
        let refusal = await bench.refusal(way.statements.map(named))
        #expect(refusal == "\(way.relation) belongs to the store, which changes only by its commits")
        let tables = try await bench.owner.count(
            "SELECT FROM pg_class WHERE relnamespace = '\(bench.name)'::regnamespace AND relkind IN ('r', 'v')")
        #expect(tables == 5)
        #expect(try await bench.rows().isEmpty)
        try await bench.check("\(way)")
        await bench.end()
    }

    @Test func `what runs after the check, during COMMIT, cannot write`() async throws {
        let bench = try await AccessBench("access_commit")
        let again = """
            CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                SET CONSTRAINTS ALL DEFERRED;
                IF NEW.a < 3 THEN INSERT INTO svc VALUES (NEW.a + 1); ELSE DELETE FROM note; END IF;
                RETURN NULL;
            END $$
            """
        let deferred = """
            CREATE CONSTRAINT TRIGGER t AFTER INSERT ON svc DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION again()
            """
        let cursor = "DO $$ BEGIN EXECUTE 'DECLARE c CURSOR WITH HOLD FOR SELECT wipe()'; END $$"
        for statements in [[again, deferred, "INSERT INTO svc VALUES (1)"], [Circumvention.wipe, cursor]] {
            let refusal = await bench.refusal(statements)
            #expect(refusal.contains("25006: cannot execute"), "\(refusal)")
            try await bench.check("\(statements)")
        }
        #expect(try await bench.rows().isEmpty)
        await bench.end()
    }

    @Test func `a write refuses statements that end the transaction or change the session`() async throws {
        let bench = try await AccessBench("access_transaction")
        let (kind, ended) = ("does not permit", "2D000: invalid transaction termination")
        let texts = [
            ("BEGIN", kind), ("START TRANSACTION", kind), ("COMMIT", kind), ("COMMIT AND CHAIN", kind), ("END", kind),
            ("ROLLBACK", kind), ("ABORT", kind), ("SAVEPOINT s", kind), ("RELEASE s", kind),
            ("PREPARE TRANSACTION 'x'", kind), ("ROLLBACK TO s", kind), ("; COMMIT", kind), ("(COMMIT)", kind),
            ("/* /* */ SELECT */ COMMIT", kind), ("--\rCOMMIT /*\n SELECT */", kind), ("-- SELECT\ncommit", kind),
            ("SET search_path TO public", kind), ("SET LOCAL ROLE access_crew", kind), ("RESET ALL", kind),
            ("SET CONSTRAINTS ALL DEFERRED", kind), ("SET SESSION AUTHORIZATION access_crew", kind),
            ("DISCARD ALL", kind),
            ("PREPARE p AS SELECT 1", kind), ("EXECUTE p", kind), ("DEALLOCATE ALL", kind), ("LISTEN c", kind),
            ("DECLARE c CURSOR FOR SELECT 1", kind), ("COPY svc FROM STDIN", kind), ("COPY svc TO STDOUT", kind),
            ("VACUUM svc", kind), ("CHECKPOINT", kind), ("LOAD 'x'", kind),
            (
                "CREATE INDEX CONCURRENTLY ON svc (a)",
                "25001: CREATE INDEX CONCURRENTLY cannot run inside a transaction"
            ),
            ("SELECT 1; COMMIT", "42601: cannot insert multiple commands"), ("DO $$ BEGIN COMMIT; END $$", ended),
            ("DO $$ BEGIN ROLLBACK; END $$", ended), ("CALL over()", ended),
            ("DO $$ BEGIN EXECUTE 'COMMIT'; END $$", "EXECUTE of transaction commands is not implemented"),
        ]
        try await bench.owner.run("CREATE PROCEDURE over() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$")
        for (text, reason) in texts {
            let refusal = await bench.refusal(["INSERT INTO svc VALUES (1)", text])
            #expect(refusal.contains(reason), "\(text): \(refusal)")
        }
        #expect(try await bench.rows().isEmpty)
        try await bench.check("transactions")
        await bench.end()
    }
}
#endif
