import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the escape hatch refuses: each statement violates one rule.
@Suite(.serialized) struct SQLiteAccessRefusalTests {
    let scratch = Scratch()

    private func stores() async throws -> [SQLiteStore] {
        [try await scratch.open(), try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())]
    }

    @Test(.currentSQLite) func `a read refuses every statement that would write, on a file and in memory`() async throws
    {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            try await store.insert(Sample.tag(1, "a"))
            try await access.write { database in
                try database.run("CREATE TABLE notes (text UNIQUE)")
                try database.run("CREATE VIRTUAL TABLE words USING fts5(name)")
            }
            let (read, attach) = ("a read must not change the database", "other databases")
            let transaction = "begins and ends the transaction"
            let texts = [
                ("INSERT INTO notes VALUES (1)", read), ("UPDATE tag SET name = 'b'", read),
                ("DELETE FROM tag", read), ("DELETE FROM tag RETURNING *", read), ("DROP TABLE notes", read),
                ("CREATE TABLE t (a)", read), ("CREATE TEMP TABLE t (a)", read),
                ("CREATE TEMP VIEW v AS SELECT 1", read),
                ("CREATE INDEX i ON notes (text)", read), ("ALTER TABLE notes ADD COLUMN a", read),
                ("INSERT INTO words (words) VALUES ('rebuild')", read), ("REINDEX notes", read), ("ANALYZE", read),
                ("UPDATE sqlite_schema SET sql = ''", "may not be modified"),
                ("ATTACH '\(scratch.folder)/other' AS other", attach), ("DETACH main", attach),
                ("VACUUM", "cannot VACUUM from within a transaction"),
                ("VACUUM INTO '\(scratch.folder)/copy'", "cannot VACUUM from within a transaction"),
                ("PRAGMA user_version = 9", "PRAGMA user_version"), ("PRAGMA query_only = 0", "PRAGMA query_only"),
                ("PRAGMA writable_schema = 1", "PRAGMA writable_schema"),
                ("PRAGMA journal_mode", "PRAGMA journal_mode"),
                ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"), ("PRAGMA page_size = 512", "PRAGMA page_size"),
                ("PRAGMA optimize", "PRAGMA optimize"),
                ("SELECT load_extension('x')", "load_extension() is not permitted"),
                ("SELECT FTS3_tokenizer('simple')", "tokenizer() is not permitted"),
                ("PRAGMA temp.user_version = 1", "PRAGMA user_version"),
                ("BEGIN", transaction), ("COMMIT", transaction), ("END", transaction), ("ROLLBACK", transaction),
                ("SAVEPOINT s", transaction), ("RELEASE s", transaction),
            ]
            for (text, reason) in texts {
                let message = await message { _ = try await access.read { try $0.rows(text) } }
                #expect(message.contains(reason), "\(text): \(message)")
            }
            #expect(try store.isIdle())
            #expect(try await store.read(ReadRequest(Sample.tag)).items == [Sample.tag(1, "a")])
            await store.close()
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/copy"))
        #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/other"))
    }

    @Test(.currentSQLite) func `a write refuses to change the store's tables and indexes, in any spelling`()
        async throws
    {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            try await store.insert(Sample.tag(1, "a"), Sample.book(2, pages: [Sample.page(3, "p")], tags: [1]))
            // Roots, owned objects, links, the record of the schema.
            for table in ["tag", "TAG", "main.tag", "\"Tag\"", "page", "note", "book_tags", "larder_schema"] {
                let name = table.replacing("main.", with: "").replacing("\"", with: "").lowercased()
                for text in [
                    "INSERT INTO \(table) DEFAULT VALUES", "UPDATE \(table) SET rowid = 9", "DELETE FROM \(table)",
                    "DROP TABLE \(table)", "ALTER TABLE \(table) ADD COLUMN more",
                    "ALTER TABLE \(table) RENAME TO other",
                    "CREATE INDEX extra ON \(name) (rowid)", "CREATE UNIQUE INDEX extra ON \(name) (length(1))",
                    "CREATE TRIGGER t AFTER INSERT ON \(name) BEGIN SELECT 1; END",
                    "ANALYZE \(table)",
                ] {
                    let message = await message { try await access.write { try $0.run(text) } }
                    let isRefused =
                        message.contains("\(name) belongs to the store") || message.contains("belongs to SQLite")
                    #expect(isRefused || message.contains("no such column: rowid"), "\(text): \(message)")
                }
            }
            let others = [
                ("DROP INDEX tag_unique_name", "tag belongs to the store"),
                ("REINDEX tag_unique_name", "tag_unique_name belongs to the store"),
                ("REINDEX Tag", "tag_unique_name belongs to the store"), ("REINDEX", "belongs to"),
                ("ANALYZE", "belongs to the store"),
                ("ALTER TABLE tag DROP COLUMN name", "tag belongs to the store"),
                ("ALTER TABLE tag RENAME COLUMN name TO title", "tag belongs to the store"),
                ("CREATE TABLE larder_notes (a)", "larder_notes belongs to the store"),
                ("CREATE VIEW Larder_view AS SELECT 1", "Larder_view belongs to the store"),
                ("INSERT OR REPLACE INTO tag SELECT * FROM tag", "tag belongs to the store"),
                ("WITH c AS (SELECT 1) DELETE FROM tag WHERE 1 IN c", "tag belongs to the store"),
            ]
            for (text, reason) in others {
                let message = await message { try await access.write { try $0.run(text) } }
                #expect(message.contains(reason), "\(text): \(message)")
            }
            #expect(try await store.read(ReadRequest(Sample.tag)).items == [Sample.tag(1, "a")])
            #expect(try await store.integrityProblems().isEmpty)
            await store.close()
        }
    }

    @Test(.currentSQLite)
    func `a write refuses transactions, other databases, temporary objects and pragmas that write`() async throws {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            let transaction = "begins and ends the transaction"
            let texts = [
                ("BEGIN", transaction), ("COMMIT", transaction), ("END TRANSACTION", transaction),
                ("ROLLBACK", transaction), ("SAVEPOINT s", transaction), ("RELEASE s", transaction),
                ("ROLLBACK TO s", transaction), ("ATTACH ':memory:' AS other", "other databases"),
                ("DETACH main", "other databases"), ("CREATE TEMP TABLE tag (a)", "temporary"),
                ("CREATE TEMP VIEW v AS SELECT 1", "temporary"),
                ("CREATE TEMP TRIGGER t AFTER INSERT ON main.tag BEGIN SELECT 1; END", "does not permit"),
                ("VACUUM", "cannot VACUUM from within a transaction"),
                ("PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys"), ("PRAGMA writable_schema = 1", "PRAGMA writable"),
                ("PRAGMA synchronous = OFF", "PRAGMA synchronous"), ("PRAGMA user_version = 1", "PRAGMA user_version"),
                ("PRAGMA application_id = 1", "PRAGMA application_id"), ("PRAGMA optimize", "PRAGMA optimize"),
                ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode"),
                ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"),
                ("UPDATE sqlite_schema SET sql = ''", "may not be modified"),
                ("DELETE FROM sqlite_schema", "may not be modified"),
            ]
            for (text, reason) in texts {
                let message = await message {
                    try await access.write { database in
                        try database.run("CREATE TABLE notes (text)")
                        try database.run(text)
                    }
                }
                #expect(message.contains(reason), "\(text): \(message)")
            }
            #expect(try store.isIdle())
            #expect(try await access.read { try $0.rows("SELECT * FROM sqlite_schema WHERE name = 'notes'") }.isEmpty)
            await store.close()
        }
    }

    @Test(.currentSQLite) func `pragmas that read are permitted`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        for text in ["PRAGMA Table_Info(tag)", "SELECT * FROM pragma_table_info('tag')", "PRAGMA user_version"] {
            #expect(try await access.read { try !$0.rows(text).isEmpty }, "\(text)")
            #expect(try await access.write { try !$0.rows(text).isEmpty }, "\(text)")
        }
    }

    @Test func `a trigger of the service that would change a table of the store cannot fire`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        try await store.insert(Sample.tag(1, "a"))
        try await access.write { database in
            try database.run("CREATE TABLE notes (text)")
            try database.run("CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM tag; END")
            try database.run("CREATE VIEW v AS SELECT name FROM tag")
            try database.run("CREATE TRIGGER u INSTEAD OF DELETE ON v BEGIN DELETE FROM tag; END")
        }
        for text in ["INSERT INTO notes VALUES (1)", "DELETE FROM v"] {
            let message = await message { try await access.write { try $0.run(text) } }
            #expect(message.contains("tag belongs to the store"), "\(message)")
        }
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 1)
    }

    @Test func `a foreign key to a table of the store is refused before the commit, others are permitted`() async throws
    {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        try await access.write { database in
            try database.run("CREATE TABLE list (id INTEGER PRIMARY KEY)")
            try database.run("CREATE TABLE item (list REFERENCES list (id) ON DELETE CASCADE)")
        }
        for text in [
            "CREATE TABLE notes (tag REFERENCES tag (id) ON DELETE CASCADE)",
            "CREATE TABLE notes (tag, FOREIGN KEY (tag) REFERENCES \"TAG\" (id))",
            "ALTER TABLE item ADD COLUMN tag REFERENCES tag (id)",
        ] {
            let message = await message { try await access.write { try $0.run(text) } }
            #expect(message.contains("has a foreign key to a table of the store"), "\(text): \(message)")
        }
        try await store.insert(Sample.tag(1, "a"))
        _ = try await store.commit(ChangeSet(deletes: [Sample.tag(1, "a").expecting(1)]))
    }

    @Test(.currentSQLite) func `a table that is renamed to a reserved name is refused before the commit`() async throws
    {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        let message = await message {
            try await access.write { database in
                try database.run("CREATE TABLE notes (a)")
                try database.run("ALTER TABLE notes RENAME TO Larder_notes")
            }
        }
        #expect(message.contains("names that start with larder_"))
        #expect(try await access.read { try $0.rows("SELECT * FROM sqlite_schema WHERE name LIKE '%notes'") }.isEmpty)
    }

    /// The text of an unsupported query, or another error.
    private func message<Result>(_ work: () async throws -> Result) async -> String {
        guard let error = await persistencyError(work) else { return "not refused" }
        if case .unsupportedQuery(let message) = error { return message }
        return "\(error)"
    }
}
