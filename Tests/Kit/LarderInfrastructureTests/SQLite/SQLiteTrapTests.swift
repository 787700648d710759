import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Known pitfalls of wrapping SQLite, each a test.
@Suite(.serialized) struct SQLiteTrapTests {
    let scratch = Scratch()

    func raw() throws -> SQLiteConnection {
        try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
    }

    static func shelf(_ number: Int, _ values: [Int: Value]) -> StorageObject {
        var all: [Value] = [.null, .null, .null, .null, .text("n"), .null, .integer(0), .null, .integer(0)]
        for (index, value) in values { all[index] = value }
        return StorageObject(schema: Sample.shelf, id: Sample.id(number), values: all)
    }

    @Test func `values at their limits are read back unchanged`() async throws {
        let store = try await scratch.open()
        let objects = [
            Self.shelf(1, [0: .integer(.max), 1: .integer(.min), 2: .real(.greatestFiniteMagnitude)]),
            Self.shelf(2, [2: .real(.leastNonzeroMagnitude), 3: .text(""), 5: .blob([])]),
            Self.shelf(3, [2: .real(0.1 + 0.2), 3: .text("a\u{0}b"), 5: .blob([0, 255, 0])]),
            Self.shelf(
                4,
                [2: .real(1e18), 3: .text("\u{FEFF}\u{10FFFF}é😀\r\n"), 5: .blob(Array(repeating: 7, count: 1 << 20))]),
            Self.shelf(5, [3: .text(String(repeating: "long ", count: 100_000)), 8: .integer(.min)]),
            Self.shelf(6, [:]),
        ]
        _ = try await store.commit(ChangeSet(inserts: objects))
        let read = try await store.read(objects.map { $0.id }, of: Sample.shelf).sorted { $0.id < $1.id }
        #expect(read == objects)
        let scanned = try await store.read(ReadRequest(Sample.shelf)).items
        #expect(scanned == objects)
    }

    @Test func `text is bound by its bytes, so that U+0000 ends nothing`() async throws {
        let store = try await scratch.open()
        try await store.insert(Sample.tag(1, "a\u{0}b"), Sample.tag(2, "a"))
        func names(_ condition: Condition) async throws -> [Value] {
            try await store.read(ReadRequest(Sample.tag, where: condition)).items.map { $0.values[0] }
        }
        #expect(try await names(.compare(.column(0), .equal, .literal(.text("a\u{0}b")))) == [.text("a\u{0}b")])
        #expect(try await names(.contains(.column(0), "\u{0}b")) == [.text("a\u{0}b")])
        #expect(try await names(.hasPrefix(.column(0), "a\u{0}")) == [.text("a\u{0}b")])
    }

    @Test func `text and bytes are bound with a transient lifetime: their source may be freed`() async throws {
        try await scratch.open().close()
        let statement = try raw().statement("SELECT ?1, ?2, ?3")
        func number(_ index: Int) -> String { String(repeating: "\(index),", count: 1000) }
        try statement.bind(.text(number(1)), at: 1)
        try statement.bind(.blob(Array(number(2).utf8)), at: 2)
        try statement.bind(.id(Sample.id(3)), at: 3)
        // Reuses the freed memory.
        let others = (4..<50).map { Array(number($0).utf8) }
        #expect(try statement.step())
        #expect(statement.text(0) == number(1))
        #expect(statement.value(1, .blob) == .blob(Array(number(2).utf8)))
        #expect(statement.id(2) == Sample.id(3))
        statement.finish()
        #expect(others.count == 46)
    }

    @Test func `NaN, which SQLite would keep as NULL, is refused, and infinity with it`() async throws {
        let store = try await scratch.open()
        for number in [Double.nan, .infinity, -.infinity] {
            let error = await failure { () async throws(PersistencyError) in
                try await store.insert(Self.shelf(1, [2: .real(number)]))
            }
            #expect(error?.summary == "invalid shelf.weight must be a finite number")
        }
    }

    @Test func `-0.0 becomes 0.0, as the mapper makes it`() async throws {
        let store = try await scratch.open()
        try await store.insert(Self.shelf(1, [2: .real(-0.0)]))
        guard case .real(let number) = try await store.read(Sample.id(1), of: Sample.shelf)?.values[2] else {
            Issue.record("no number")
            return
        }
        #expect(number == 0 && number.sign == .plus)
    }

    @Test func `a text that is not valid UTF-8 is not repaired`() async throws {
        let store = try await scratch.open()
        try await store.insert(Sample.tag(1, "a"))
        try raw().execute("UPDATE tag SET name = CAST(x'61ff' AS TEXT)")
        #expect(try await store.read(Sample.id(1), of: Sample.tag)?.values == [.blob([0x61, 0xFF])])
        #expect(try await store.read(ReadRequest(Sample.tag)).items.map(\.values) == [[.blob([0x61, 0xFF])]])
    }

    @Test func `an empty blob is not NULL`() async throws {
        let store = try await scratch.open()
        try await store.insert(Self.shelf(1, [5: .blob([])]), Self.shelf(2, [:]))
        let condition = Condition.compare(.column(5), .equal, .literal(.null))
        #expect(try await store.read(ReadRequest(Sample.shelf, where: condition)).items.map(\.id) == [Sample.id(2)])
    }

    @Test func `a statement is reset and its values cleared, also after it failed`() async throws {
        try await scratch.open().close()
        let connection = try raw()
        let insert = "INSERT INTO tag (id, version, name) VALUES (?1, 1, ?2)"
        let statement = try connection.statement(insert)
        try statement.bind([.id(Sample.id(1)), .text("a")], from: 1)
        #expect(try statement.insert())
        // The bindings are cleared: the id is NULL.
        #expect(
            refusal { () throws(PersistencyError) in _ = try connection.statement(insert).insert() }
                == "unavailable failed")
        let again = try connection.statement(insert)
        try again.bind([.id(Sample.id(1)), .text("b")], from: 1)
        #expect(try !again.insert())
        try again.bind([.id(Sample.id(2)), .text("b")], from: 1)
        #expect(try again.insert())
        #expect(unsafe sqlite3_stmt_busy(again.handle) == 0)
    }

    @Test func `errors carry the extended code and SQLite's words`() async throws {
        try await scratch.open().close()
        let connection = try raw()
        do {
            try connection.execute("INSERT INTO tag (id, version) VALUES (x'00', 1)")
            Issue.record("no error")
        } catch {
            guard case .unavailable(let trouble) = error, let cause = trouble.cause as? SQLiteError else {
                throw error
            }
            #expect(cause.code == SQLITE_CONSTRAINT | 5 << 8)
            #expect(trouble.message == "NOT NULL constraint failed: tag.name")
        }
    }

    @Test func `statements are finalized before a connection closes, so that it releases its files`() async throws {
        let store = try await scratch.open()
        try await store.insert(Sample.tag(1, "a"), Sample.book(10, tags: [1]))
        _ = try await store.read(ReadRequest(Sample.book, where: .compare(.column(0), .equal, .literal(.text("x")))))
        #expect(scratch.bytes("-wal") != nil)
        await store.close()
        // The last connection removes them. A connection with an open statement cannot be closed.
        #expect(scratch.bytes("-wal") == nil && scratch.bytes("-shm") == nil)
    }

    @Test func `a commit that fails is rolled back while there is a transaction, and not twice`() async throws {
        try await scratch.open().close()
        let connection = try raw()
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.beginWriting()
        try connection.execute("INSERT INTO book_tags VALUES (x'01', 0, x'02')")
        #expect(connection.hasDanglingReferences)
        #expect(refusal { () throws(PersistencyError) in try connection.commit() } == "unavailable failed")
        #expect(connection.isInTransaction)
        connection.rollBack()
        #expect(!connection.isInTransaction)
        connection.rollBack()
        try connection.beginWriting()
        try connection.commit()
    }

    @Test func `a full device fails only the commit, and the store continues when there is space`() async throws {
        let store = try await scratch.open(.full)
        let writer = try #require(store.writer)
        func limit(_ pages: Int64) async throws {
            try await writer.thread.run { () throws(PersistencyError) in
                try writer.read { connection throws(PersistencyError) in
                    _ = try connection.integer("PRAGMA max_page_count = \(pages)")
                }
            }
        }
        try await store.insert(Sample.tag(1, "a"))
        try await limit(1)
        let large = StorageObject(
            schema: Sample.cover, id: Sample.id(5), values: [.blob(Array(repeating: 1, count: 5_000_000)), .text("")])
        let error = await failure { () async throws(PersistencyError) in try await store.insert(large) }
        #expect(error?.summary == "unavailable full")
        try await limit(1_000_000)
        try await store.insert(large, Sample.tag(2, "b"))
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 2)
    }

    @Test func `a savepoint that is rolled back is released, too`() async throws {
        try await scratch.open().close()
        let connection = try raw()
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.beginWriting()
        try connection.setSavepoint()
        try connection.execute("INSERT INTO book_tags VALUES (x'01', 0, x'02')")
        try connection.rollBackSavepoint()
        // The rollback also discards the dangling references of the savepoint.
        #expect(!connection.hasDanglingReferences)
        #expect(
            refusal { () throws(PersistencyError) in try connection.releaseSavepoint() } == "unavailable failed")
        try connection.commit()
        #expect(!connection.isInTransaction)
    }

    @Test func `another writer is waited for, up to the busy timeout`() async throws {
        for durability in [SQLiteStore.Durability.full, .normal] {
            let scratch = Scratch()
            let store = try await scratch.open(durability, busyTimeout: .milliseconds(200))
            let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
            try other.beginWriting()
            let start = ContinuousClock.now
            let error = await failure { () async throws(PersistencyError) in try await store.insert(Sample.tag(1, "a"))
            }
            #expect(error?.summary == "unavailable busy")
            #expect(ContinuousClock.now - start >= .milliseconds(150))
            // Reads continue meanwhile.
            #expect(try await store.read(ReadRequest(Sample.tag)).items.isEmpty)
            await store.close()
            // Long enough for a busy machine.
            let patient = try await scratch.open(durability, busyTimeout: .seconds(60))
            // Read from the log itself, because a measurement would wait for the blocked thread.
            let before = patient.workLog.places
            async let later = patient.insert(Sample.tag(2, "b"))
            try await until { patient.workLog.places != before }
            other.rollBack()
            _ = try await later
            await patient.close()
        }
    }

    @Test func `the switch to the log waits for others as well`() async throws {
        try await scratch.open().close()
        let other = try raw()
        try other.execute("PRAGMA journal_mode = DELETE")
        try other.execute("BEGIN EXCLUSIVE")
        let error = await failure { () async throws(PersistencyError) in
            do {
                _ = try await scratch.open(busyTimeout: .milliseconds(100))
            } catch let error as PersistencyError {
                throw error
            } catch {}
        }
        #expect(error?.summary == "unavailable busy")
        other.rollBack()
        let store = try await scratch.open(busyTimeout: .milliseconds(100))
        try await store.insert(Sample.tag(1, "a"))
    }

    @Test func `a changed schema has cached statements prepared again`() async throws {
        let store = try await scratch.open()
        try await store.insert(Sample.tag(1, "a"))
        let request = ReadRequest(Sample.tag, where: .hasPrefix(.column(0), "a"))
        #expect(try await store.read(request).items.count == 1)
        try raw().execute("CREATE INDEX made_meanwhile ON tag (version)")
        #expect(try await store.read(request).items.count == 1)
        #expect(try await store.read([Sample.id(1)], of: Sample.tag).count == 1)
        try await store.replace(Sample.tag(1, "ab"))
        #expect(try await store.read(request).items.count == 1)
    }

    @Test func `the cache of statements is bounded, and keeps those in use`() async throws {
        try await scratch.open().close()
        let connection = try raw()
        let kept = try connection.statement("SELECT 0")
        for number in 1...200 {
            try connection.statement("SELECT \(number)").run()
            #expect(try connection.statement("SELECT 0") === kept)
        }
        #expect(connection.cachedStatements == 64)
    }

    @Test func `an in-memory database has one connection, reader and writer at once`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await store.insert(Sample.tag(number, "\(number)"))
                    #expect(try await store.read(Sample.id(number), of: Sample.tag) != nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read(ReadRequest(Sample.tag, includesTotal: true)).total == 50)
        await store.close()
        let error = await failure { () async throws(PersistencyError) in
            _ = try await store.read(ReadRequest(Sample.tag))
        }
        #expect(error?.summary == "unavailable closed")
    }
}
