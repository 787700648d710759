import LarderData
import LarderDomain

import Testing

@testable import LarderInfrastructure

/// The escape hatch: what it returns, where it runs, and that nothing remains open.
@Suite(.serialized) struct SQLiteAccessTests {
    let scratch = Scratch()

    @Test func `a decorated SQLite store has the feature, and other stores do not`() async throws {
        let store = try await scratch.open()
        let cached = CachedStore(store)
        let access = try #require(cached.feature(SQLiteAccess.self))
        try await cached.insert(Sample.tag(1, "a"))
        #expect(try await access.read { try $0.rows("SELECT name FROM tag") }.map(\.values) == [[.text("a")]])
        #expect(cached.feature((any MeasuredStore).self) != nil && store.feature(FileStore.self) == nil)
        let schemas = try Sample.schemas()
        #expect(MemoryStore(schemas).feature(SQLiteAccess.self) == nil)
        let file = try await FileStore.open(.init(scratch.folder + "/log"), schemas: schemas)
        #expect(CachedStore(file).feature(SQLiteAccess.self) == nil)
        await file.close()
    }

    @Test func `a row has the names of its columns and the values that SQLite stores`() async throws {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            try await store.insert(Sample.tag(7, "é"))
            let row = try await access.read { database in
                try database.rows(
                    "SELECT id, name, NULL AS n, 2.5 AS r, 9223372036854775807 AS i, x'00ff' AS b, CAST(x'41ff' AS TEXT) AS t, "
                        + "'a' || char(0) || 'b' AS z, 1 AS n FROM tag")[0]
            }
            #expect(row.columns == ["id", "name", "n", "r", "i", "b", "t", "z", "n"])
            #expect(row.id("id") == Sample.id(7) && row.id("b") == nil && row.id("name") == nil)
            #expect(
                row.values.dropFirst() == [
                    .text("é"), .null, .real(2.5), .integer(.max), .blob([0, 255]), .blob([0x41, 255]), .text("a\0b"),
                    .integer(1),
                ])
            #expect(row["n"] == .null && row["absent"] == nil)
        }
    }

    @Test func `values are bound by the numbers of their parameters`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        let values: [Value] = [
            .null, .integer(.min), .real(-0.5), .text("a\0b"), .blob([]), .blob([1, 2]), .id(Sample.id(3)),
        ]
        let row = try await access.read { try $0.rows("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7", values)[0] }
        #expect(row.values.dropLast() == values.dropLast())
        #expect(row.id("?7") == Sample.id(3))
        let named = try await access.read { try $0.rows("SELECT :b, :a, :b", [.integer(1), .integer(2)])[0] }
        #expect(named.values == [.integer(1), .integer(2), .integer(1)])
    }

    @Test func `a text that is not one valid statement with its values is an error that says so`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        let faults: [(String, [Value], String)] = [
            ("SELECT ?1, ?2", [.integer(1)], "the statement has 2 parameters, but the number of values is 1"),
            ("SELECT 1", [.null], "the statement has 0 parameters, but the number of values is 1"),
            ("SELECT ?1", [.real(.nan)], "the value of parameter 1 is not a number"),
            ("SELECT 1; SELECT 2", [], "the text contains more than one statement"),
            ("SELECT 1; junk", [], "the text contains more than one statement"),
            ("", [], "the text contains no statement"),
            (" -- nothing\n;", [], "the text contains no statement"),
            ("SELECT 1\0 junk", [], "a statement must not contain U+0000"),
            ("SELECT FROM", [], "near \"FROM\": syntax error"),
            ("SELECT * FROM absent", [], "no such table: absent"),
        ]
        for (text, values, message) in faults {
            let error = await persistencyError { _ = try await access.read { try $0.rows(text, values) } }
            guard case .unsupportedQuery(message) = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
        let spaced = try await access.read { try $0.rows("SELECT 1 ; -- the end\n /* of it */ ; ") }
        #expect(spaced.count == 1)
    }

    @Test func `a statement that fails while it runs is unavailable with SQLite's message`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        try await access.write { try $0.run("CREATE TABLE notes (text TEXT NOT NULL)") }
        let error = await persistencyError { try await access.write { try $0.run("INSERT INTO notes VALUES (NULL)") } }
        guard case .unavailable(let trouble) = error else { return #expect(error != nil) }
        #expect(trouble.message.contains("NOT NULL constraint failed: notes.text") && trouble.reason == .failed)
    }

    @Test func `a read sees all acknowledged commits, and one snapshot until it ends`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        try await store.insert(Sample.tag(1, "a"))
        let gates = (reading: BodyGate(), committed: BodyGate())
        async let counts = access.read { database in
            func count() throws -> Value? { try database.rows("SELECT count(*) AS n FROM tag")[0]["n"] }
            let first = try count()
            gates.reading.open()
            gates.committed.wait()
            return [first, try count()]
        }
        try await until { gates.reading.isOpen }
        try await store.insert(Sample.tag(2, "b"))
        gates.committed.open()
        #expect(try await counts == [.integer(1), .integer(1)])
        #expect(try await access.read { try $0.rows("SELECT * FROM tag").count } == 2)
    }

    @Test func `after a body that throws, no transaction is open, the error is its own, and commits continue`()
        async throws
    {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            try await store.insert(Sample.tag(1, "a"))
            await #expect(throws: OwnError()) {
                try await access.read { database in
                    _ = try database.rows("SELECT * FROM tag")
                    throw OwnError()
                }
            }
            await #expect(throws: OwnError()) {
                try await access.write { database in
                    try database.run("CREATE TABLE notes (text)")
                    throw OwnError()
                }
            }
            #expect(try store.isIdle())
            try await store.insert(Sample.tag(2, "b"))
            #expect(try await access.read { try $0.rows("SELECT * FROM sqlite_master WHERE name = 'notes'") }.isEmpty)
            #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 2)
            await store.close()
        }
    }

    @Test func `reads run on a thread for scans and writes on the store's thread`() async throws {
        for store in try await stores(.full) {
            let access = try #require(store.feature(SQLiteAccess.self))
            let before = await store.measurements().longWork
            let caller = ThreadID.current
            let thread = try #require(store.writer).thread
            let reader = try await access.read { _ in ThreadID.current }
            #expect(try await access.write { _ in (ThreadID.current, thread.isCurrent) }.1)
            #expect(reader != caller && reader != ThreadID.current)
            let after = try #require(await store.measurements().longWork)
            #expect(after.elsewhere.isEmpty && after != before)
            #expect(after.ownThread[.scan, default: 0] == (before?.ownThread[.scan] ?? 0) + 1)
            await store.close()
        }
    }

    @Test func `a read of a file can run during a commit and during a write`() async throws {
        let store = try await scratch.open()
        let access = try #require(store.feature(SQLiteAccess.self))
        let gates = (writing: BodyGate(), read: BodyGate())
        async let written = access.write { database in
            try database.run("CREATE TABLE notes (text)")
            gates.writing.open()
            gates.read.wait()
        }
        try await until { gates.writing.isOpen }
        #expect(try await access.read { try $0.rows("SELECT * FROM sqlite_master WHERE name = 'notes'") }.isEmpty)
        async let committed = store.insert(Sample.tag(1, "a"))
        gates.read.open()
        try await written
        _ = try await committed
        #expect(try await access.read { try $0.rows("SELECT count(*) AS n FROM notes, tag")[0]["n"] } == .integer(0))
    }

    @Test func `a cancelled task does not start, and a long statement ends when its task is cancelled`() async throws {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"
            let started = BodyGate()
            for isWrite in [false, true] {
                let task = Task {
                    let body: @Sendable (SQLiteDatabase) throws -> Void = { database in
                        started.open()
                        _ = try database.rows(endless)
                    }
                    if isWrite { try await access.write(body) } else { try await access.read(body) }
                }
                try await until { started.isOpen }
                task.cancel()
                let error = await persistencyError { try await task.value }
                guard case .cancelled = error else { return #expect(error != nil) }
                let late = Task {
                    while !Task.isCancelled { await Task.yield() }
                    _ = try await access.read { _ in Issue.record("it has started") }
                }
                late.cancel()
                let unstarted = await persistencyError { try await late.value }
                guard case .cancelled = unstarted else { return #expect(unstarted != nil) }
            }
            #expect(try store.isIdle())
            try await store.insert(Sample.tag(1, "a"))
            #expect(try await access.read { try $0.rows("SELECT * FROM tag").count } == 1)
            await store.close()
        }
    }

    @Test func `a closed store is unavailable for reads and writes`() async throws {
        for store in try await stores() {
            let access = try #require(store.feature(SQLiteAccess.self))
            await store.close()
            let errors = [
                await persistencyError { try await access.read { _ in } },
                await persistencyError { try await access.write { _ in } },
            ]
            for error in errors { #expect(error?.summary == "unavailable closed") }
        }
    }

    @Test func `a store that only reads has reads and refuses writes as it refuses commits`() async throws {
        try await scratch.open().close()
        let store = try await scratch.open(access: .readOnly)
        let access = try #require(store.feature(SQLiteAccess.self))
        #expect(try await access.read { try $0.rows("SELECT * FROM tag").isEmpty })
        let error = await persistencyError { try await access.write { _ in } }
        #expect(error?.summary == "unavailable readOnly")
    }

    private func stores(_ durability: SQLiteStore.Durability = .normal) async throws -> [SQLiteStore] {
        [
            try await scratch.open(durability),
            try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas()),
        ]
    }
}
