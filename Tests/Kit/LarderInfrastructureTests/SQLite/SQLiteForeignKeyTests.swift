import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The pitfalls of SQLite's foreign keys.
@Suite(.serialized) struct SQLiteForeignKeyTests {
    let scratch = Scratch()

    @Test func `foreign keys are on, in a file and in memory, whatever the library was built with`() async throws {
        let stores = [
            try await scratch.open(), try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas()),
        ]
        for store in stores {
            let isOn = try #require(store.writer).read { connection throws(PersistencyError) in
                try connection.integer("PRAGMA foreign_keys")
            }
            #expect(isOn == 1)
            await store.close()
        }
    }

    @Test func `foreign keys are switched outside transactions only: within one SQLite ignores it`() async throws {
        try await scratch.open().close()
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.beginWriting()
        // SQLite ignores the statement without an error, so opening sets it before its first transaction.
        try connection.execute("PRAGMA foreign_keys = ON")
        #expect(try connection.integer("PRAGMA foreign_keys") == 0)
        connection.rollBack()
        let opening = SQLiteOpening(
            configuration: .init(.memory), plan: try SQLPlan(Sample.schemas()))
        #expect(try opening.memory().integer("PRAGMA foreign_keys") == 1)
    }

    @Test func `foreign keys are checked before additions are committed, and nothing of them stays`() async throws {
        try await scratch.open().close()
        let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        // With foreign keys switched off, as careless tools do.
        try other.execute("PRAGMA foreign_keys = OFF")
        try other.execute("INSERT INTO book_tags VALUES (x'01', 0, x'02')")
        let more = try SchemaSet(Sample.schemas().roots + [EntitySchema(name: "more", columns: [])])
        let error = await failure { () async throws(PersistencyError) in
            _ = try await SQLiteStore.open(.init(.file(scratch.path)), schemas: more)
        }
        #expect(error?.summary == "incompatible")
        #expect(try other.integer("SELECT count(*) FROM sqlite_master WHERE name = 'more'") == 0)
        #expect(try other.integer("SELECT count(*) FROM larder_schema WHERE entity = 'more'") == 0)
        try other.execute("DELETE FROM book_tags")
        try await SQLiteStore.open(.init(.file(scratch.path)), schemas: more).close()
        #expect(try other.integer("SELECT count(*) FROM larder_schema WHERE entity = 'more'") > 0)
    }
}
