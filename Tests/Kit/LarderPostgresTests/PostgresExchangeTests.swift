#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Reads by id, updates of one root, and insertions of many, which have separate statements.
@Suite(.postgres)
struct PostgresExchangeTests {
    /// Runs a test with a store in a new schema, which contains one note.
    private func withNote(
        busyTimeout: Duration = .seconds(5), _ body: (PostgresStore, StorageObject) async throws -> Void
    ) async throws {
        let name = "exchange_\(UInt32.random(in: 1 ... .max))"
        try await Scratch.run("CREATE SCHEMA \"\(name)\"")
        var configuration = try await Scratch.configuration(name)
        configuration.busyTimeout = busyTimeout
        let store = try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note, Sample.tag]))
        var note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        note.version = 1
        try await body(store, note)
        await store.close()
        await Scratch.drop(name)
    }

    /// Locks the table of notes until a body has returned.
    private func locking(_ store: PostgresStore, _ body: () async throws -> Void) async throws {
        let locker = try await Task.detached { [configuration = store.configuration] in
            let locker = try PostgresConnection(configuration)
            try locker.execute("BEGIN; LOCK TABLE note")
            return locker
        }.value
        try await body()
        try await Task.detached { _ = try locker.execute("COMMIT") }.value
    }

    private func ranked(_ note: StorageObject, _ rank: Int64) -> (ChangeSet, StorageObject) {
        var new = note
        new.values[1] = .integer(rank)
        let changes = ObjectChanges(from: note, to: new)
        new.version += 1
        return (ChangeSet(updates: [RootUpdate(note.key, expected: note.version, changes: changes)]), new)
    }

    /// The processes of the connections that wait for the lock of the table.
    private static let waiting = "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'note'::regclass"

    /// Ends all connections of a store that wait for a lock.
    private func endWaiting(_ store: PostgresStore) async throws {
        var count = 0
        while count == 0 {
            count = try await Task.detached { [configuration = store.configuration] in
                try PostgresConnection(configuration).run(
                    "SELECT pg_terminate_backend(pid) FROM (\(Self.waiting)) AS processes"
                ).count
            }.value
        }
    }

    @Test func `a read by id that must wait declines at once, and is then interrupted by a cancellation`() async throws
    {
        try await withNote { store, note in
            for _ in 0..<40 { #expect(try await store.read(note.id, of: Sample.note) == note) }
            try await locking(store) {
                let answer = try store.lendAtOnce(note.id, of: Sample.note) { _ throws(PersistencyError) in
                    Issue.record("a row was lent")
                }
                #expect(answer == .declined)
                let read = Task { try await store.read(note.id, of: Sample.note) }
                try await Task.sleep(for: .milliseconds(20))
                read.cancel()
                let error = await #expect(throws: PersistencyError.self) { try await read.value }
                guard case .cancelled? = error else { Issue.record("\(error as Any)"); return }
            }
            for _ in 0..<40 { #expect(try await store.read(note.id, of: Sample.note) == note) }
        }
    }

    @Test func `a read by id is answered at once if nothing else runs`() async throws {
        try await withNote { store, note in
            _ = try await store.read(note.id, of: Sample.note)
            for id in [note.id, RawID(high: 0, low: 7)] {
                var (answer, found) = (LendAnswer.declined, [StorageObject]())
                // On a busy machine, many attempts are late.
                let limit = ContinuousClock.now.advanced(by: .seconds(60))
                while answer == .declined, ContinuousClock.now < limit {
                    answer = try store.lendAtOnce(id, of: Sample.note) { (rows) throws(PersistencyError) in
                        while try rows.next() { found.append(try rows.storageObject()) }
                    }
                    if answer == .declined { try await Task.sleep(for: .milliseconds(1)) }
                }
                #expect(answer != .declined)
                #expect(found == (id == note.id ? [note] : []))
            }
        }
    }

    @Test func `concurrent reads by id, which are sent together, get each its own root or error`() async throws {
        try await withNote { store, note in
            let notes = (0..<100).map { Sample.note("new \($0)") }
            _ = try await store.commit(ChangeSet(inserts: notes))
            let outcomes = await withTaskGroup(of: (Int, Result<StorageObject?, any Error>).self) { tasks in
                for index in 0..<300 {
                    tasks.addTask {
                        switch index % 3 {
                        case 0:
                            let id = notes[index / 3].id
                            return (index, await Result { try await store.read(id, of: Sample.note) })
                        case 1:
                            let id = RawID(high: 0, low: UInt64(index))
                            return (index, await Result { try await store.read(id, of: Sample.note) })
                        default:
                            return (
                                index,
                                await Result {
                                    try await store.withRows([note.id], of: Sample.note) { _ throws(PersistencyError) in
                                        throw .cancelled
                                    }
                                    return nil
                                }
                            )
                        }
                    }
                }
                return await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for (index, outcome) in outcomes {
                switch index % 3 {
                case 0: #expect(try outcome.get()?.values == notes[index / 3].values)
                case 1: #expect(try outcome.get() == nil)
                default:
                    let error = #expect(throws: PersistencyError.self) { try outcome.get() }
                    guard case .cancelled? = error else { Issue.record("\(error as Any)"); return }
                }
            }
            #expect(outcomes.count == 300)
        }
    }

    @Test func `concurrent reads of aggregates get each their own lists, also between ids that do not exist`()
        async throws
    {
        let name = "together"
        let store = try await Scratch.open(SchemaSet([Sample.book, Sample.author]), name)
        let authors = (0..<3).map {
            StorageObject(schema: Sample.author, id: RawID(high: 1, low: $0), values: [.text("\($0)")])
        }
        let chapters = Sample.book.children[0].schema
        let books = (0..<30).map { (number: UInt64) in
            let owned = (0..<number % 4).map {
                StorageObject(schema: chapters, id: RawID(high: number + 1, low: $0), values: [.text("\($0)"), .null])
            }
            // Every second id is that of a book.
            return StorageObject(
                schema: Sample.book, id: RawID(high: 2, low: 2 * number),
                values: [.text("\(number)"), .null, .null, .null],
                children: [owned], links: [authors.prefix(Int(number % 3)).map(\.id)])
        }
        _ = try await store.commit(ChangeSet(inserts: authors + books))
        for _ in 0..<3 {
            let found = try await withThrowingTaskGroup(of: (UInt64, StorageObject?).self) { tasks in
                for low in (0..<60 as Range<UInt64>).shuffled() + [0, 2, 4] {
                    let id = RawID(high: 2, low: low)
                    tasks.addTask { (low, try await store.read(id, of: Sample.book)) }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(found.count == 63)
            for (low, book) in found { #expect(book == (low % 2 == 0 ? books[Int(low / 2)] : nil)) }
        }
        await store.close()
        await Scratch.drop(name)
    }

    @Test func `a locked table does not hold up later reads of another one`() async throws {
        try await withNote(busyTimeout: .seconds(60)) { store, note in
            let id = RawID(high: 9, low: 9)
            let new = StorageObject(schema: Sample.tag, id: id, values: [.text("a")])
            _ = try await store.commit(ChangeSet(inserts: [new]))
            let tag = StorageObject(schema: Sample.tag, id: id, version: 1, values: [.text("a")])
            var reads = (0..<40).map { _ in Task { try await store.read(note.id, of: Sample.note) } }
            // Opens the connections, because only open ones are used by groups.
            for read in reads { _ = try await read.value }
            try await locking(store) {
                reads = []
                // Two groups wait for the lock. The number of reads is less than that of connections.
                for _ in 0..<2 {
                    reads += (0..<3).map { _ in Task { try await store.read(note.id, of: Sample.note) } }
                    try await Task.sleep(for: .milliseconds(50))
                }
                let began = ContinuousClock.now
                for _ in 0..<20 {
                    async let other = store.read(tag.id, of: Sample.tag)
                    #expect(try await store.read(tag.id, of: Sample.tag) == tag)
                    #expect(try await other == tag)
                }
                // A read that waits with them ends after this limit at the earliest.
                #expect(began.duration(to: .now) < store.configuration.busyTimeout - .milliseconds(200))
            }
            // They fail if they have waited for a lock for too long.
            for read in reads { #expect(try await read.value == note) }
        }
    }

    @Test func `concurrent reads by id are repeated if their connection is lost`() async throws {
        try await withNote { store, note in
            // All connections are open before: a read reports the loss of a new one.
            var opening: [Task<Void, any Error>] = []
            try await locking(store) {
                opening = (0..<8).map { _ in
                    Task {
                        try await store.pool.run { connection, _ throws(PersistencyError) in
                            _ = try connection.run("SELECT FROM note")
                        }
                    }
                }
                let locker = try await Scratch.connection(store.configuration.schema ?? "public")
                while try await locker.count(Self.waiting) < 8 { try await Task.sleep(for: .milliseconds(5)) }
            }
            for task in opening { try await task.value }
            var reads: [Task<StorageObject?, any Error>] = []
            try await locking(store) {
                reads = (0..<20).map { _ in Task { try await store.read(note.id, of: Sample.note) } }
                try await endWaiting(store)
            }
            for read in reads { #expect(try await read.value == note) }
        }
    }

    @Test func `an update is committed once if its connection is lost before the commit`() async throws {
        try await withNote { store, note in
            let (changes, new) = ranked(note, 5)
            // The first update on a connection opens it.
            var receipt: Task<CommitReceipt, any Error>?
            try await locking(store) {
                receipt = Task { try await store.commit(changes) }
                try await endWaiting(store)
            }
            _ = try await receipt?.value
            #expect(try await store.read(note.id, of: Sample.note) == new)
            #expect(try await store.outcome(of: changes.id) == .stored)
        }
    }

    @Test func `an update of another version is a conflict, and nothing is stored`() async throws {
        try await withNote { store, note in
            let (first, new) = ranked(note, 5)
            _ = try await store.commit(first)
            let (second, _) = ranked(note, 6)
            let error = await #expect(throws: PersistencyError.self) { try await store.commit(second) }
            guard case .conflict(let conflict)? = error else { Issue.record("\(error as Any)"); return }
            #expect(conflict.expected == 1)
            #expect(conflict.found == 2)
            #expect(try await store.read(note.id, of: Sample.note) == new)
            #expect(try await store.outcome(of: second.id) != .stored)
        }
    }

    @Test func `the first existing id of many is reported, and none is stored`() async throws {
        try await withNote { store, note in
            var notes = (0..<1_000).map { Sample.note("new \($0)") }
            _ = try await store.commit(ChangeSet(inserts: [notes[700]]))
            notes[600] = Sample.note("again", id: note.id)
            let changes = ChangeSet(inserts: notes)
            let error = await #expect(throws: PersistencyError.self) { try await store.commit(changes) }
            guard case .duplicate(let duplicate)? = error else { Issue.record("\(error as Any)"); return }
            #expect(duplicate.existing == note.id)
            #expect(try await store.read(notes[0].id, of: Sample.note) == nil)
            notes.remove(at: 700)
            notes.remove(at: 600)
            _ = try await store.commit(ChangeSet(inserts: notes))
            for index in [0, 500, notes.count - 1] {
                #expect(try await store.read(notes[index].id, of: Sample.note) == notes[index])
            }
        }
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
#endif
