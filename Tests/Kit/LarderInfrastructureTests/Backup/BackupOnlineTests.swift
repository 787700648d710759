import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Backups of a SQLite database page by page, with commits between the pages.
struct BackupOnlineTests {
    private let bench: BackupBench

    init() throws { bench = try BackupBench() }

    private func open(journal: JournalBounds? = JournalBounds()) async throws -> SQLiteStore {
        try await SQLiteStore.open(
            .init(.file(bench.path("store")), durability: .off, busyTimeout: .zero, journal: journal),
            schemas: Sample.schemas())
    }

    /// Backs up in steps, with work before each. Returns `nil` if the backup would have to start again.
    private func backUp(_ store: SQLiteStore, before: (Int) async throws -> Void) async throws -> Backup? {
        var spool = try await store.scan(isShort: true) { connection throws(PersistencyError) in
            try SQLiteSpool(connection, store.plan)
        }
        var number = 0
        while !spool.isFinished {
            try await before(number)
            number += 1
            spool = try await store.scan(isShort: true) { [spool] connection throws(PersistencyError) in
                try spool.next(connection)
            }
        }
        #expect(number > 6)
        guard spool.isComplete else { return nil }
        return try BackupDraft(bench.path("b"), replacing: true, POSIXFileSystem()).write(spool.snapshot)
    }

    /// The backup of a store in memory with the same commits, up to a token.
    private func expected(
        _ commits: [(position: Int64, changes: ChangeSet)], _ token: ChangeToken
    ) async throws -> Backup {
        let replayed = MemoryStore(try Sample.schemas())
        for commit in commits where commit.position <= token.position { _ = try await replayed.commit(commit.changes) }
        return try await Backup.write(replayed, to: bench.path("expected"), replacing: true)
    }

    /// Whether the log can restart, because nobody reads from it.
    private func logIsFree() throws -> Bool {
        let connection = try SQLiteConnection(bench.path("store"), flags: SQLITE_OPEN_READWRITE)
        _ = try connection.integer("SELECT count(*) FROM sqlite_master")
        return try connection.checkpoint(.truncate) != nil && bench.bytes("store-wal").isEmpty
    }

    @Test(arguments: [14, 400])
    func `a backup has the state at its token, whatever is committed between its pages`(busySteps: Int) async throws {
        let store = try await open()
        let load = BackupOnlineLoad(store)
        try await load.prepare()
        let backup = try #require(
            try await backUp(store) { number in
                if number < busySteps { try await load.commit(beforeStep: number) }
            })
        #expect(try await expected(load.commits, backup.token).entities == backup.entities)
        #expect(load.commits.contains { !$0.changes.removals.isEmpty && $0.position < backup.token.position })
        let restored = try await bench.restored(.sqlite, "b")
        #expect(try await Backup.write(restored, to: bench.path("c")).entities == backup.entities)
        await restored.close()
        await store.close()
    }

    @Test func `each removal since the page of a root raises its version once for each commit`() async throws {
        let store = try await open()
        let books = [1, 2].map { number in
            Sample.book(number, cover: 5, pages: [Sample.page(10 + number, "p", tags: [1, 2, 3])], tags: [3, 1, 2])
        }
        let cover = StorageObject(schema: Sample.cover, id: Sample.id(5), values: [.blob([1]), .text("c")])
        _ = try await store.commit(
            ChangeSet(inserts: (1...600).map { Sample.tag($0, "\($0)") } + [cover] + books))
        let backup = try #require(
            try await backUp(store) { number in
                // The books are read before, and have no other changes.
                guard number == 6 else { return }
                let (first, second) = (store.removals(of: Sample.tag, 1), store.removals(of: Sample.tag, 2))
                _ = try await store.commit(
                    ChangeSet(
                        deletes: [Sample.tag(1, "").expecting(1), Sample.tag(2, "").expecting(1)],
                        removals: first + second))
                _ = try await store.commit(
                    ChangeSet(deletes: [cover.expecting(1)], removals: store.removals(of: Sample.cover, 5)))
            })
        #expect(backup.token.position == 3)
        let restored = try await MemoryStore.restored(from: bench.path("b"), schemas: store.schemas)
        for number in [1, 2] {
            let book = try #require(try await restored.read(Sample.id(number), of: Sample.book))
            #expect(book.version == 3 && book.links[0] == [Sample.id(3)] && book.values[3] == .null)
            #expect(book.children[0][0].links[0] == [Sample.id(3)])
        }
        await store.close()
    }

    @Test(arguments: [nil, JournalBounds(), JournalBounds(changes: 1)])
    func `no read transaction is open between pages, and while the file is written`(
        journal: JournalBounds?
    ) async throws {
        let store = try await open(journal: journal)
        try await BackupOnlineLoad(store).prepare()
        if journal != nil {
            _ = try await backUp(store) { number in
                try await store.insert(Sample.tag(10_000 + number, "new \(number)"))
                #expect(try logIsFree())
            }
        }
        try await store.insert(Sample.tag(20_000, "newest"))
        let isFree = try await store.withSnapshot(nil) { snapshot throws(PersistencyError) in
            var count = 0
            try snapshot.visit { (_) throws(PersistencyError) in count += 1 }
            return (try? logIsFree()) == true && count > 1000
        }
        #expect(isFree)
        await store.close()
    }

    @Test func `a database in memory is backed up between its commits`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        let load = BackupOnlineLoad(store)
        try await load.prepare()
        let backup = try #require(
            try await backUp(store) { number in
                if number < 14 { try await load.commit(beforeStep: number) }
            })
        #expect(try await expected(load.commits, backup.token).entities == backup.entities)
        await store.close()
    }

    @Test func `a backup starts again after a gap in the journal, and after a change of the schema`() async throws {
        let store = try await open(journal: JournalBounds(changes: 1))
        try await BackupOnlineLoad(store).prepare()
        func commit(_ number: Int) async throws {
            for round in 0..<300 {
                try await store.insert(Sample.tag(10_000 + number * 300 + round, "\(number) \(round)"))
            }
        }
        #expect(try await backUp(store) { if $0 == 6 { try await commit(6) } } == nil)
        let path = bench.path("store")
        #expect(
            try await backUp(store) { number in
                guard number == 6 else { return }
                let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READWRITE)
                try connection.execute("CREATE TABLE other (id)")
            } == nil)
        // Fails if one of the attempts does not end.
        let backup = try await Backup.write(store, to: bench.path("b"))
        let position = try await store.commit(ChangeSet()).token.position
        #expect(backup.token.position == position)
        await store.close()
    }

    @Test(arguments: [JournalBounds(), JournalBounds(changes: 1)])
    func `a backup of a store that is written to has the state at its token`(journal: JournalBounds) async throws {
        let store = try await open(journal: journal)
        let load = BackupOnlineLoad(store)
        try await load.prepare()
        let writing = Task {
            var number = 0
            while !Task.isCancelled {
                try await load.commit(beforeStep: number)
                number += 1
                // Commits that never suspend would occupy the cooperative pool, and other tests would wait.
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        // As in another process.
        let reader = try await SQLiteStore.open(
            .init(.file(bench.path("store")), access: .readOnly), schemas: Sample.schemas())
        var backups: [Backup] = []
        for number in 1...6 {
            backups.append(try await Backup.write(number % 2 == 0 ? reader : store, to: bench.path("b\(number)")))
        }
        await reader.close()
        writing.cancel()
        _ = await writing.result
        for backup in backups {
            #expect(try await expected(load.commits, backup.token).entities == backup.entities)
        }
        #expect(Set(backups.map(\.token)).count > 1)
        await store.close()
    }

    @Test func `a backup without a journal has one state`() async throws {
        let store = try await open(journal: nil)
        let writing = Task {
            // Each commit adds a root to two entities, so that a mixture of states is detected.
            for number in 1...20_000 where !Task.isCancelled {
                try await store.insert(Sample.tag(number, "\(number)"), Sample.book(number))
                if number % 8 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        var counts: Set<Int> = []
        for number in 1...8 {
            let backup = try await Backup.write(store, to: bench.path("b\(number)"))
            let (tags, books) = (backup.entities[0].count, backup.entities[2].count)
            #expect(tags == books && backup.token.lifetime == 0)
            counts.insert(tags)
        }
        writing.cancel()
        _ = await writing.result
        #expect(counts.count > 1)
        await store.close()
    }
}
