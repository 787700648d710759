#if Postgres
import Foundation
import LarderData
import LarderDomain
@testable import LarderPostgres

/// A second application in the database and PostgreSQL schema of a store: its tables, and what it has attached to the
/// store's tables.
struct Neighbor: Sendable {
    /// The store of the tests: books with parts and tags, and drafts.
    static let old: [EntitySchema] = [
        EntitySchema(
            name: "book",
            columns: [
                Column(name: "title", type: .text), Column(name: "isbn", type: .text, isNullable: true),
                Column(name: "pages", type: .integer),
                Column(
                    name: "next_id", type: .id, isNullable: true,
                    reference: Reference(target: "book", onDelete: .remove)),
            ], children: [ChildRelationship(name: "parts", schema: part)],
            links: [LinkRelationship(name: "tags", target: "tag", onDelete: .remove)], uniques: [[0]], indexes: [[1]]),
        Sample.tag, EntitySchema(name: "draft", columns: [Column(name: "text", type: .text)]),
    ]
    static let part = EntitySchema(name: "part", columns: [Column(name: "text", type: .text)])

    /// The PostgreSQL schema of the store.
    let name: String
    var runtime: String { "\(name)_runtime" }

    /// Creates the store, and the second application.
    init(_ name: String, attaching: Bool) async throws {
        self.name = name
        await remove()
        let store = try await Scratch.open(try SchemaSet(Self.old), name)
        let tag = StorageObject(schema: Sample.tag, id: RawID(high: 1, low: 9), values: [.text("t")])
        let draft = StorageObject(schema: Self.old[2], id: RawID(high: 1, low: 8), values: [.text("d")])
        let books = (1...300).map { number in
            let id = RawID(high: UInt64(number), low: 1)
            let part = StorageObject(
                schema: Self.part, id: RawID(high: UInt64(number), low: 2), values: [.text("p\(number)")])
            return StorageObject(
                schema: Self.old[0], id: id,
                values: [.text("title \(number)"), .null, .integer(Int64(number)), .id(RawID(high: 1, low: 1))],
                children: [[part]], links: [[tag.id]])
        }
        _ = try await store.commit(ChangeSet(inserts: books + [tag, draft]))
        await store.close()
        let connection = try await Scratch.connection(name)
        try await connection.run(Self.unattached.replacing("NAME", with: name))
        if attaching { try await connection.run(Self.attached.replacing("NAME", with: name)) }
    }

    func remove() async {
        await Scratch.drop(name)
        await Scratch.drop("\(name)_reports")
        try? await Scratch.run("DROP PUBLICATION IF EXISTS \(name)_all")
        for role in ["\(name)_reader", runtime] {
            try? await Scratch.run("DROP OWNED BY \(role)")
            try? await Scratch.run("DROP ROLE IF EXISTS \(role)")
        }
    }

    /// Nothing that a change of the store's tables would drop or rename.
    private static let unattached = """
        CREATE ROLE NAME_reader; CREATE ROLE NAME_runtime LOGIN;
        GRANT USAGE ON SCHEMA NAME TO NAME_reader, NAME_runtime;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA NAME TO NAME_runtime;
        ALTER DEFAULT PRIVILEGES IN SCHEMA NAME GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO NAME_runtime;
        GRANT SELECT ON book, draft TO NAME_reader WITH GRANT OPTION; GRANT UPDATE (title) ON book TO NAME_reader;
        CREATE TABLE shelf (id bigint PRIMARY KEY, note text);
        CREATE TABLE loan (id bigint PRIMARY KEY, shelf bigint CONSTRAINT loan_shelf_fkey REFERENCES shelf DEFERRABLE);
        CREATE INDEX loan_shelf ON loan (shelf);
        CREATE VIEW shelves AS SELECT id, note FROM shelf;
        COMMENT ON TABLE loan IS 'loans';
        COMMENT ON TABLE book IS 'books'; COMMENT ON COLUMN book.title IS 'titles'; COMMENT ON TABLE draft IS 'drafts';
        ALTER TABLE book SET (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
        ALTER TABLE larder_schema SET (fillfactor = 60); COMMENT ON TABLE larder_history IS 'history';
        """

    private static let attached = """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        ALTER TABLE loan ADD book uuid CONSTRAINT loan_book_fkey REFERENCES book (id);
        INSERT INTO loan SELECT 1, NULL, id FROM book LIMIT 1;
        CREATE SCHEMA NAME_reports;
        CREATE VIEW NAME_reports.titles AS SELECT id, title, isbn FROM book;
        CREATE MATERIALIZED VIEW drafts AS SELECT text FROM draft;
        CREATE TRIGGER audit AFTER UPDATE OF pages ON book FOR EACH ROW EXECUTE FUNCTION note();
        CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON book DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION note();
        CREATE INDEX by_hand ON book (lower(title));
        CREATE STATISTICS by_both ON title, pages FROM book;
        ALTER TABLE book ADD CONSTRAINT is_long CHECK (length(isbn) < 1000);
        CREATE POLICY everyone ON part FOR SELECT TO NAME_reader USING (text <> '');
        CREATE RULE loud AS ON DELETE TO draft DO ALSO NOTIFY drafts;
        CREATE PUBLICATION NAME_all FOR TABLE book, tag;
        """

    /// The second application's own objects, as `pg_dump` writes them: all but the store's tables.
    func dump() async throws -> String {
        let server = try await TestServer.shared.value
        let connection = try await Scratch.connection(name)
        let tables = try await connection.texts(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace "
                + "AND relname NOT IN ('shelf', 'loan')")
        let process = Process()
        process.executableURL = URL(filePath: "\(TestServer.programs ?? "")/pg_dump")
        process.arguments =
            ["-h", server.folder, "-U", "larder", "--schema-only", "-n", name, "-n", "\(name)_reports"]
            + tables.flatMap { ["-T", "\(name).\($0)"] } + ["postgres"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = await Task.detached {
            String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        .value
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw TestServer.Failure("pg_dump failed") }
        // Later versions protect their output by a random key.
        return text.split(separator: "\n").filter { !$0.contains("restrict ") }.joined(separator: "\n")
    }

    /// What the second application has attached to the store's tables, and the options of these tables.
    func attachments() async throws -> [String] {
        let connection = try await Scratch.connection(name)
        return try await connection.texts(
            """
            WITH t AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace
                AND relkind = 'r' AND relname IN ('book', 'part', 'tag', 'larder_schema', 'larder_history'))
            SELECT pg_get_triggerdef(g.oid) FROM pg_trigger g JOIN t ON t.oid = tgrelid WHERE NOT tgisinternal
            UNION ALL SELECT pg_get_indexdef(i.oid) FROM pg_class i WHERE relname = 'by_hand'
                AND relnamespace = current_schema()::regnamespace
            UNION ALL SELECT pg_get_statisticsobjdef(s.oid) FROM pg_statistic_ext s JOIN t ON t.oid = stxrelid
            UNION ALL SELECT conname || pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN t ON t.oid = conrelid
                WHERE contype = 'c' AND conname = 'is_long'
            UNION ALL SELECT polname FROM pg_policy JOIN t ON t.oid = polrelid
            UNION ALL SELECT pubname || t.relname FROM pg_publication_rel r JOIN pg_publication p ON p.oid = prpubid
                JOIN t ON t.oid = prrelid
            UNION ALL SELECT relname || relacl::text FROM t
            UNION ALL SELECT relname || attacl::text FROM t JOIN pg_attribute ON attrelid = t.oid AND attacl IS NOT NULL
            UNION ALL SELECT relname || reloptions::text FROM t WHERE reloptions IS NOT NULL
            UNION ALL SELECT relname || d.description FROM t JOIN pg_description d ON objoid = t.oid
                AND classoid = 'pg_class'::regclass
            UNION ALL SELECT relname || t.oid FROM t
            ORDER BY 1
            """)
    }
}

extension PlainConnection {
    /// The first column of a query.
    func texts(_ query: String) async throws -> [String] {
        try await Task.detached {
            let rows = try connection.execute(query)
            var texts: [String] = []
            while rows.advance() { texts.append(rows.text(0)) }
            return texts
        }.value
    }
}
#endif
