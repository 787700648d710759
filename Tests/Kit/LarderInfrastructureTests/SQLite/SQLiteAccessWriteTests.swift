import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes through the escape hatch, and their effects on the store.
@Suite(.serialized) struct SQLiteAccessWriteTests {
    let scratch = Scratch()

    @Test(.currentSQLite) func `tables of the service can be created, changed, indexed, searched and dropped`()
        async throws
    {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        let counts = try await access.write { database in
            try database.run("CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, tag BLOB, text TEXT UNIQUE)")
            try database.run("CREATE INDEX notes_tag ON notes (tag)")
            try database.run("CREATE VIEW texts AS SELECT text, name FROM notes LEFT JOIN tag ON tag.id = notes.tag")
            try database.run("CREATE TABLE changes (text)")
            try database.run(
                "CREATE TRIGGER noted AFTER INSERT ON notes BEGIN INSERT INTO changes VALUES (new.text); END")
            let inserted = try database.run(
                "INSERT INTO notes (tag, text) VALUES (?1, 'a'), (?1, 'b')", [.id(Sample.id(1))])
            let updated = try database.run("UPDATE notes SET text = text || '!'")
            let returned = try database.rows("DELETE FROM notes WHERE text = 'b!' RETURNING text")
            #expect(returned.map(\.values) == [[.text("b!")]])
            try database.run("ALTER TABLE notes ADD COLUMN more")
            try database.run("ALTER TABLE notes RENAME TO remarks")
            try database.run("ALTER TABLE remarks DROP COLUMN more")
            try database.run("REINDEX notes_tag")
            try database.run("ANALYZE remarks")
            return [inserted, updated, try database.run("CREATE TABLE third (a)"), try database.run("SELECT 1")]
        }
        #expect(counts == [2, 2, 0, 0])
        try await store.insert(Sample.tag(1, "t"))
        let rows = try await access.read { try $0.rows("SELECT * FROM texts") }
        #expect(rows.map(\.values) == [[.text("a!"), .text("t")]])
        try await access.write { database in
            for drop in ["TRIGGER noted", "VIEW texts", "INDEX notes_tag", "TABLE remarks", "TABLE changes"] {
                try database.run("DROP \(drop)")
            }
        }
        await store.close()
        let reopened = try await scratch.open()
        #expect(try await reopened.integrityProblems().isEmpty)
        #expect(try await reopened.read(ReadRequest(Sample.tag)).items == [Sample.tag(1, "t")])
        await reopened.close()
    }

    @Test(.currentSQLite) func `a full-text index can be written, and read on another connection and in memory`()
        async throws
    {
        for store in [try await scratch.open(), try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())] {
            let access = try #require(store.feature(SQLiteAccess.self))
            try await store.insert(Sample.tag(1, "thyme"), Sample.tag(2, "wild thyme"), Sample.tag(3, "rosemary"))
            try await access.write { database in
                try database.run("CREATE VIRTUAL TABLE words USING fts5(name)")
                try database.run("INSERT INTO words SELECT name FROM tag")
            }
            let found = try await access.read { database in
                try database.rows("SELECT name FROM words WHERE words MATCH ?1 ORDER BY name", [.text("thyme")])
            }
            #expect(found.map(\.values) == [[.text("thyme")], [.text("wild thyme")]])
            try await access.write { try $0.run("DROP TABLE words") }
            await store.close()
        }
    }

    @Test func `a body that throws leaves nothing, whichever statement was the last`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        try await access.write { try $0.run("CREATE TABLE notes (text UNIQUE)") }
        await #expect(throws: OwnError()) {
            try await access.write { database in
                try database.run("INSERT INTO notes VALUES ('a')")
                throw OwnError()
            }
        }
        let error = await persistencyError {
            try await access.write { database in
                try database.run("INSERT INTO notes VALUES ('a')")
                try database.run("INSERT INTO notes VALUES ('a')")
            }
        }
        #expect(error?.summary == "unavailable failed")
        #expect(try await access.read { try $0.rows("SELECT * FROM notes") }.isEmpty)
    }

    @Test func `a body may continue after an error, unless the statement has ended the transaction`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        try await access.write { database in
            try database.run("CREATE TABLE notes (text UNIQUE)")
            try database.run("INSERT INTO notes VALUES ('a')")
            #expect(throws: PersistencyError.self) { try database.run("INSERT INTO notes VALUES ('a')") }
        }
        for continues in [true, false] {
            let error = await persistencyError {
                try await access.write { database in
                    try database.run("INSERT INTO notes VALUES ('b')")
                    _ = try? database.run("INSERT OR ROLLBACK INTO notes VALUES ('a')")
                    if continues { _ = try? database.run("INSERT INTO notes VALUES ('c')") }
                }
            }
            guard case .unavailable(let trouble) = error else { return #expect(error != nil) }
            #expect(trouble.message == "a statement has rolled back the transaction, so nothing was stored")
        }
        #expect(try store.isIdle())
        #expect(try await access.read { try $0.rows("SELECT text FROM notes") }.map(\.values) == [[.text("a")]])
    }

    @Test func `a deferred foreign key among tables of the service fails the commit, and leaves nothing`() async throws
    {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        let error = await persistencyError {
            try await access.write { database in
                try database.run("CREATE TABLE list (id INTEGER PRIMARY KEY)")
                try database.run("CREATE TABLE item (list REFERENCES list (id) DEFERRABLE INITIALLY DEFERRED)")
                try database.run("INSERT INTO item VALUES (1)")
            }
        }
        guard case .unavailable(let trouble) = error else { return #expect(error != nil) }
        #expect(trouble.message.contains("FOREIGN KEY"))
        #expect(try store.isIdle())
        #expect(try await access.read { try $0.rows("SELECT * FROM sqlite_master WHERE name = 'item'") }.isEmpty)
    }

    @Test func `the outcome of a write in doubt stays unknown, also after the store is opened again`() throws {
        guard case .inDoubt(let id, _) = PersistencyError.unrecorded(Unavailable(.failed, "input/output error")) else {
            return #expect(Bool(false))
        }
        let later = Timestamp.now().adding(.seconds(60))
        let start = Timestamp(microseconds: 0)
        #expect(CommitOutcome(of: id, isRetained: false, completeSince: start, openedAt: later) == .unknown)
        // That of a change set would be absent.
        #expect(CommitOutcome(of: CommitID(), isRetained: false, completeSince: start, openedAt: later) == .absent)
    }

    @Test func `the rows of a write are none of the store's commits`() async throws {
        for durability in [SQLiteStore.Durability.normal, .full] {
            let scratch = Scratch()
            let store = try await scratch.open(durability)
            let access = try #require(store.feature(SQLiteAccess.self))
            let first = try await store.insert(Sample.tag(1, "a"))
            let before = await store.measurements()
            try await access.write { database in
                try database.run("CREATE TABLE notes (text)")
                for number in 0..<100 as Range<Int64> {
                    try database.run("INSERT INTO notes VALUES (?1)", [.integer(number)])
                }
            }
            let after = await store.measurements()
            #expect(after.rowsWritten == before.rowsWritten)
            #expect((after.bytesWritten ?? 0) > (before.bytesWritten ?? 0))
            var changes = await store.changes(after: first.token).makeAsyncIterator()
            let second = try await store.insert(Sample.tag(2, "b"))
            guard case .commit(let next) = await changes.next() else { return #expect(Bool(false)) }
            #expect(next.token == second.token)
            #expect(await store.measurements().rowsWritten == (before.rowsWritten ?? 0) + 1)
            await store.close()
        }
    }

    @Test func `a write and its sync are counted on the store's thread, and long logs are checkpointed`() async throws {
        let store = try await scratch.open(.full)
        let access = try #require(store.feature(SQLiteAccess.self))
        let before = await store.measurements().longWork?.ownThread ?? [:]
        try await access.write { database in
            try database.run("CREATE TABLE notes (bytes)")
            try database.run("INSERT INTO notes VALUES (zeroblob(5000000))")
        }
        let after = try #require(await store.measurements().longWork)
        #expect(after.ownThread[.sync] == (before[.sync] ?? 0) + 1 && after.elsewhere.isEmpty)
        #expect(after.ownThread[.checkpoint] == (before[.checkpoint] ?? 0) + 1)
    }

    @Test func `writes and commits at the same time are all stored`() async throws {
        let store = try await scratch.open(.full)
        let access = try #require(store.feature(SQLiteAccess.self))
        try await access.write { try $0.run("CREATE TABLE notes (number)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { _ = try await store.insert(Sample.tag(number, "\(number)")) }
                group.addTask {
                    let value = Value.integer(Int64(number))
                    _ = try await access.write { try $0.run("INSERT INTO notes VALUES (?1)", [value]) }
                }
                group.addTask { _ = try await access.read { try $0.rows("SELECT * FROM notes, tag") } }
            }
            try await group.waitForAll()
        }
        let counts = try await access.read { database in
            try database.rows("SELECT (SELECT count(*) FROM tag) AS tags, (SELECT count(*) FROM notes) AS notes")[0]
        }
        #expect(counts.values == [.integer(50), .integer(50)])
    }

    @Test func `after an access, cached statements still work and are permitted everything`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        let access = try #require(store.feature(SQLiteAccess.self))
        for number in 0..<3 {
            try await store.insert(Sample.tag(number, "\(number)"))
            try await store.replace(Sample.tag(number, "new \(number)"))
            #expect(try await store.read(ReadRequest(Sample.tag)).items.count == number + 1)
            try await access.read { _ = try $0.rows("SELECT * FROM tag") }
            try await access.write { try $0.run("CREATE TABLE t\(number) (a)") }
        }
        await store.close()
    }

    @Test func `a database that was deleted refuses a write at full durability`() async throws {
        let store = try await scratch.open(.full)
        let access = try #require(store.feature(SQLiteAccess.self))
        try FileManager.default.removeItem(atPath: scratch.path)
        let error = await persistencyError { try await access.write { _ in } }
        #expect(error?.summary == "unavailable failed")
        await store.close()
    }
}
