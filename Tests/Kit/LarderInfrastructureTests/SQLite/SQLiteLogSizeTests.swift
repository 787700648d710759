import Dispatch
import LarderData
import LarderDomain
import LarderStoreContract
import Synchronization
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The size of the write-ahead log under load. It is at durability `normal`, where writers do not wait for the disk.
struct SQLiteLogSizeTests {
    /// 64 MB.
    private static let limit = 64 << 20
    /// The length of one scan: the log cannot restart before the scan ends.
    private static let books = RunSize.current.of(quick: 2_000, ci: 10_000, prove: 100_000)
    /// The number of books that the writers change.
    private static let changed = 500
    private static let seconds = RunSize.current.of(quick: 3, ci: 60, prove: 600)
    /// On a slow machine, the run takes longer: it must write far more than the limit.
    private static let leastCommits = 5_000

    /// Without the checkpoints that wait for scans, the log grows to more than 80 MB at the smallest size.
    @Test func `the log stays under 64 MB while two tasks scan and two write`() async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let scratch = Scratch()
        let store = try await scratch.open(.normal)
        for start in stride(from: 0, to: Self.books, by: 500) {
            let books = (start..<start + 500).map {
                Sample.book($0, "Book \($0) with a title of usual length", pages: [Sample.page($0, "A page")])
            }
            _ = try await store.commit(ChangeSet(inserts: books))
        }
        let end = clock.now + .seconds(Self.seconds)
        let tally = Tally()
        let isRunning = { @Sendable in clock.now < end || tally.all.commits < Self.leastCommits }
        let log = scratch.path + "-wal"
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while isRunning() {
                        let read = try await store.read(ReadRequest(Sample.book))
                        try #require(read.items.count == Self.books)
                        tally.noteScan()
                    }
                }
            }
            for writer in 0..<2 {
                group.addTask {
                    var number = 0
                    while isRunning() {
                        number += 1
                        let book = number * 2 % Self.changed + writer
                        let page = Sample.page(book, "A page as of change \(number)")
                        try await store.replace(Sample.book(book, "Book", year: Int64(number), pages: [page]))
                        let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
                        tally.noteCommit(logBytes: try #require(size))
                    }
                }
            }
            try await group.waitForAll()
        }
        await store.close()
        let (scans, commits, largest) = tally.all
        let figure = "at most \(largest >> 20) MB, \(scans) scans, \(commits) commits"
        print(RunReport("size of the write-ahead log", figure: figure, seed: nil, duration: clock.now - began))
        #expect(largest < Self.limit)
    }
}

extension SQLiteLogSizeTests {
    /// A scan that ends when the semaphore is signalled.
    private func scan(_ store: SQLiteStore) async throws -> (scan: Task<Int, any Error>, mayEnd: DispatchSemaphore) {
        let (mayEnd, hasBegun) = (DispatchSemaphore(value: 0), Flag())
        let scan = Task {
            try await store.read(ReadRequest(Sample.tag)) { object throws(PersistencyError) in
                hasBegun.set()
                mayEnd.wait()
                return object
            }.items.count
        }
        try await until { hasBegun.isSet }
        return (scan, mayEnd)
    }

    private func cover(_ number: Int) -> StorageObject {
        StorageObject(
            schema: Sample.cover, id: Sample.id(number),
            values: [.blob(Array(repeating: 7, count: 1 << 20)), .text("")])
    }

    private func logSize(_ scratch: Scratch) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")[.size] as? Int)
    }

    /// The log cannot restart while a scan runs, however long that takes.
    @Test func `commits wait for one long scan rather than let the log grow, and go on after it`() async throws {
        let scratch = Scratch()
        let store = try await scratch.open(.normal, busyTimeout: .seconds(600))
        try await store.insert(Sample.tag(0, "a"))
        let (scan, mayEnd) = try await scan(store)
        let written = Tally()
        let commits = Task {
            for number in 1...100 {
                try await store.insert(cover(number))
                written.noteCommit(logBytes: 0)
            }
        }
        try await until { store.writer?.waiting.load(ordering: .relaxed) == 1 }
        #expect(try logSize(scratch) < Self.limit)
        #expect((40..<64).contains(written.all.commits))
        mayEnd.signal()
        #expect(try await scan.value == 1)
        try await commits.value
        #expect(written.all.commits == 100)
        await store.close()
    }

    @Test func `a commit waits for a long scan up to the busy timeout, or until it is cancelled`() async throws {
        let (scratch, reported) = (Scratch(), ReportedBlockages())
        let store = try await SQLiteStore.open(
            .init(
                .file(scratch.path), durability: .normal, busyTimeout: .seconds(2),
                onBlockedLog: reported.add), schemas: Sample.schemas())
        try await store.insert(Sample.tag(0, "a"))
        let (scan, mayEnd) = try await scan(store)
        var (error, number) = (PersistencyError?.none, 0)
        while error == nil, number < 100 {
            number += 1
            error = await failure { [number] () async throws(PersistencyError) in try await store.insert(cover(number))
            }
        }
        #expect(error?.summary == "unavailable busy")
        #expect(error?.description.contains("cannot restart while this process reads") == true, "\(error as Any)")
        #expect((40..<64).contains(number) && store.isLogBlocked)
        let bytes = try #require(store.logBytes)
        #expect(bytes > 47 << 20)
        #expect(reported.all.count == 1)
        let cancelled = Task {
            await failure { () async throws(PersistencyError) in try await store.insert(cover(200)) }
        }
        cancelled.cancel()
        #expect(await cancelled.value?.summary == "cancelled")
        // A scan that is held back ends when it is cancelled, too.
        let held = Task { try await store.read(ReadRequest(Sample.tag)).items.count }
        try await Task.sleep(for: .milliseconds(20))
        held.cancel()
        await #expect(throws: PersistencyError.self) { try await held.value }
        mayEnd.signal()
        #expect(try await scan.value == 1)
        try await store.insert(cover(201))
        #expect(try logSize(scratch) < 16 << 20 && !store.isLogBlocked)
        await store.close()
    }
}

/// Collects the reports of reads that keep a log from restarting.
final class ReportedBlockages: Sendable {
    private let reported = Mutex<[LogBlockage]>([])

    var all: [LogBlockage] { reported.withLock { $0 } }

    @Sendable func add(_ blockage: LogBlockage) { reported.withLock { $0.append(blockage) } }
}

/// A flag that another thread sets once.
private final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .acquiring) }

    func set() { state.store(true, ordering: .releasing) }
}

/// A counter shared by tasks.
private final class Tally: Sendable {
    private let counts = Mutex((scans: 0, commits: 0, largest: 0))

    var all: (scans: Int, commits: Int, largest: Int) { counts.withLock { $0 } }

    func noteScan() { counts.withLock { $0.scans += 1 } }

    func noteCommit(logBytes: Int) {
        counts.withLock { $0 = ($0.scans, $0.commits + 1, max($0.largest, logBytes)) }
    }
}
