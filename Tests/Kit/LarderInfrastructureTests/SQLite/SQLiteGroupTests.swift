import Dispatch
import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

/// Blocks a store's thread until it is released.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Returns when the thread waits: until then, it may still take commits from the queue.
    init(closing thread: StoreThread) async {
        await withCheckedContinuation { continuation in
            thread.enqueue { [semaphore] in
                continuation.resume()
                semaphore.wait()
            }
        }
    }

    func open() { semaphore.signal() }
}

/// Change sets that share a transaction and a sync.
@Suite(.serialized) struct SQLiteGroupTests {
    let scratch = Scratch()

    func insert(_ objects: StorageObject...) -> PendingCommit {
        PendingCommit(ChangeSet(inserts: objects))
    }

    func commit(_ group: [PendingCommit], _ store: SQLiteStore) async throws -> [CommitResult] {
        let writer = try #require(store.writer)
        return await writer.thread.run { writer.commit(group) }
    }

    @Test func `one that fails is left out, alone, and each is judged by the state before it`() async throws {
        let store = try await scratch.open(.full)
        var heard = await store.changes().makeAsyncIterator()
        let cancelled = insert(Sample.tag(9, "z"))
        cancelled.cancel()
        let results = try await commit(
            [
                insert(Sample.tag(1, "a")), insert(Sample.tag(2, "b"), Sample.tag(3, "a")), cancelled,
                insert(Sample.book(10, tags: [2])), insert(Sample.tag(4, "b")), insert(Sample.book(11, tags: [4])),
            ], store)
        let summaries = results.map { result in
            switch result {
            case .success(let receipt): "\(receipt.sequence)"
            case .failure(let error): error.summary
            }
        }
        #expect(summaries == ["1", "duplicate tag name 1", "cancelled", "dangling book.tags 2", "2", "3"])
        for sequence in 1...3 { #expect(await heard.next()?.sequence == Int64(sequence)) }
        #expect(try await store.read(ReadRequest(Sample.tag)).items.map(\.id) == [Sample.id(1), Sample.id(4)])
        // Two tags, a book, and its link: writes that were rolled back do not count.
        #expect(await store.measurements().rowsWritten == 4)
        #expect(try await store.insert(Sample.tag(5, "e")).sequence == 4)
    }

    @Test func `a group in which all fail writes nothing`() async throws {
        let store = try await scratch.open(.full)
        let before = await store.measurements()
        let results = try await commit([insert(Sample.book(1, tags: [7])), insert(Sample.book(2, cover: 7))], store)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        let after = await store.measurements()
        #expect(after.rowsWritten == before.rowsWritten && after.bytesWritten == before.bytesWritten)
    }

    @Test func `an error that breaks the transaction fails all operations alike`() async throws {
        let store = try await scratch.open(.full)
        let writer = try #require(store.writer)
        try await writer.thread.run { () throws(PersistencyError) in
            try writer.read { connection throws(PersistencyError) in
                // The reference is dangling, and no single change set caused it: the commit as a whole fails.
                try connection.beginWriting()
                try connection.execute("INSERT INTO book_tags VALUES (x'01', 0, x'02')")
            }
        }
        let results = try await commit([insert(Sample.tag(1, "a")), insert(Sample.tag(2, "b"))], store)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        let receipt = try await store.insert(Sample.tag(3, "c"))
        #expect(receipt.sequence == 1)
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 1)
    }

    @Test func `commits that wait share a sync`() async throws {
        let store = try await scratch.open(.full)
        try await store.insert(Sample.tag(0, "0"))
        let writer = try #require(store.writer)
        let before = try #require(await store.measurements().bytesWritten)
        let gate = await Gate(closing: writer.thread)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...50 { group.addTask { try await store.insert(Sample.tag(number, "\(number)")) } }
            try await until { writer.queue.waitingCount >= 50 }
            gate.open()
            try await group.waitForAll()
        }
        let pages = try #require(await store.measurements().bytesWritten) - before
        // Separately, each would have written a page of its table and one of its index.
        #expect(pages / (writer.pageBytes ?? 1) < 50)
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 51)
    }

    @Test func `one that is cancelled while it waits is left out`() async throws {
        let store = try await scratch.open(.full)
        let writer = try #require(store.writer)
        let gate = await Gate(closing: writer.thread)
        let task = Task { () async -> PersistencyError? in
            await failure { () async throws(PersistencyError) in try await store.insert(Sample.tag(1, "a")) }
        }
        try await until { writer.queue.waitingCount >= 1 }
        task.cancel()
        gate.open()
        #expect(await task.value?.summary == "cancelled")
        #expect(try await store.read(ReadRequest(Sample.tag)).items.isEmpty)
    }

    @Test func `the log is checkpointed before it grows long, at every durability`() async throws {
        for durability in SQLiteStore.Durability.allCases {
            let scratch = Scratch()
            let store = try await scratch.open(durability)
            let large = String(repeating: "x", count: 20_000)
            for number in 0..<600 { try await store.insert(Sample.tag(number, large + "\(number)")) }
            let size = try #require(scratch.bytes("-wal")?.count)
            let written = try #require(await store.measurements().bytesWritten)
            #expect(size < 8_000_000 && written > 12_000_000)
            await store.close()
        }
    }

    @Test func `writers at every durability leave what they reported`() async throws {
        for durability in SQLiteStore.Durability.allCases {
            let scratch = Scratch()
            let store = try await scratch.open(durability)
            try await store.insert(Sample.book(1, year: 0))
            let reported = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var done = 0
                        while done < 25 {
                            guard let old = try await store.read(Sample.id(1), of: Sample.book),
                                case .integer(let year) = old.values[1]
                            else { break }
                            var new = old
                            new.values[1] = .integer(year + 1)
                            do {
                                _ = try await store.commit(ChangeSet(updates: [new.update(from: old)]))
                                done += 1
                            } catch PersistencyError.conflict {}
                        }
                        return done
                    }
                }
                return try await group.reduce(0, +)
            }
            await store.close()
            let again = try await scratch.open(durability)
            let book = try #require(try await again.read(Sample.id(1), of: Sample.book))
            #expect(book.values[1] == .integer(Int64(reported)) && book.version == Int64(reported) + 1)
            await again.close()
        }
    }
}
