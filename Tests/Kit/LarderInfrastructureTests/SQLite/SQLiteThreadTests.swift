import CLarderSQLite
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
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ProcessTests {
    /// The threads of long work, and a check of the probe that reports them.
    @Suite(.serialized) struct SQLiteThreadTests {
        let scratch = Scratch()

        private static let law = StoreContract.laws.filter { $0.needs.contains(.tellsThreads) }

        private func judge(_ makeThread: @escaping @Sendable (String) -> StoreThread) async throws -> [Verdict] {
            let path = scratch.path
            let fixture = StoreFixture("sqlite") { schemas, _ in
                try await SQLiteStore.open(
                    .init(.file(path), durability: .full), schemas: schemas, makeThread: makeThread)
            }
            return await StoreContract.judge(fixture, laws: Self.law).map(\.verdict)
        }

        @Test func `a store without its own threads breaks the law`() async throws {
            #expect(!Self.law.isEmpty)
            let verdicts = try await judge { _ in StoreThread(PoolExecutor()) }
            for verdict in verdicts {
                guard case .broken(let why) = verdict else {
                    Issue.record("\(verdict)")
                    continue
                }
                for work in LongWork.allCases { #expect(why.contains("LongWork.\(work)")) }
            }
            #expect(try await Self().judge(StoreThread.init(label:)).allSatisfy { $0 == .kept })
        }

        @Test func `each kind of long work is seen on the store's own thread`() async throws {
            let store = try await scratch.open(.full)
            let blob = Value.blob(Array(repeating: 7, count: 5_000_000))
            try await store.insert(
                StorageObject(schema: Sample.cover, id: Sample.id(1), values: [blob, .text("")]), Sample.tag(1, "a"))
            _ = try await store.read(ReadRequest(Sample.tag))
            let places = try #require(await store.measurements().longWork)
            for work in LongWork.allCases { #expect((places.ownThread[work] ?? 0) > 0, "\(work)") }
            #expect(places.elsewhere.isEmpty)
        }

        @Test func `long work that runs elsewhere is seen there`() async throws {
            let store = try await scratch.open(.full)
            let writer = try #require(store.writer)
            let commit = PendingCommit(ChangeSet(inserts: [Sample.tag(1, "a")]))
            _ = writer.commit([commit])
            writer.close()
            let places = try #require(await store.measurements().longWork)
            #expect(places.elsewhere == [.lockWait: 1, .sync: 1, .checkpoint: 1])
        }

        @Test func `rows of a scan are transformed off the caller's thread`() async throws {
            let store = try await scratch.open(.normal)
            try await store.insert(Sample.tag(1, "a"))
            for _ in 0..<20 {
                let before = ThreadID.current
                let scanned = try await store.read(ReadRequest(Sample.tag)) { _ throws(PersistencyError) in
                    ThreadID.current
                }
                #expect(!scanned.items.isEmpty)
                #expect(!scanned.items.contains(before) && !scanned.items.contains(ThreadID.current))
            }
        }

        @Test func `a short page waits for no long scan, and long scans run at the same time`() async throws {
            let store = try await scratch.open(.normal)
            try await store.insert(Sample.tag(1, "a"))
            let begun = Count()
            let ended = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        _ = try await store.read(ReadRequest(Sample.tag)) { _ throws(PersistencyError) in
                            begun.add()
                            ended.wait()
                        }
                    }
                }
                // Three of the eight have started and cannot end; the others wait.
                while begun.value < 3 { try await Task.sleep(for: .milliseconds(1)) }
                for _ in 0..<20 {
                    #expect(try await store.read(ReadRequest(Sample.tag, limit: 20)).items.count == 1)
                }
                for _ in 0..<8 { ended.signal() }
                try await group.waitForAll()
            }
        }

        @Test func `the log is bounded while long scans overlap`() async throws {
            let store = try await scratch.open(.normal)
            for number in 0..<40 { try await store.insert(Sample.tag(number, "\(number)")) }
            let commits = Count()
            let path = scratch.path + "-wal"
            var longest = 0
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask {
                        while commits.value < 800 {
                            _ = try await store.read(ReadRequest(Sample.tag)) { _ throws(PersistencyError) in
                                usleep(1000)
                            }
                        }
                    }
                }
                // 160 MB in total.
                for number in 100..<900 {
                    try await store.insert(Sample.tag(number, "\(number)" + String(repeating: "x", count: 200_000)))
                    _ = try await store.commit(ChangeSet(deletes: [Sample.tag(number, "").expecting(1)]))
                    commits.add()
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    longest = max(longest, (attributes[.size] as? Int) ?? .max)
                }
                try await group.waitForAll()
            }
            #expect(longest < 64 << 20)
            #expect(longest > 8 << 20, "the scans never kept the log from beginning anew")
        }

        @Test func `a commit that finds the database locked waits on the store's thread`() async throws {
            let store = try await scratch.open(.normal, busyTimeout: .seconds(60))
            try await store.insert(Sample.tag(1, "a"))
            // Read from the log itself, because a measurement would wait for the blocked thread.
            let before = store.workLog.places
            let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
            try other.beginWriting()
            async let receipt = store.insert(Sample.tag(2, "b"))
            try await until { store.workLog.places != before }
            other.rollBack()
            _ = try await receipt
            let after = store.workLog.places
            #expect(after.ownThread[.lockWait] == (before.ownThread[.lockWait] ?? 0) + 1 && after.elsewhere.isEmpty)
        }

        @Test func `commits that sync run off the caller's thread, and short ones that do not sync on it`() async throws
        {
            for durability in SQLiteStore.Durability.allCases {
                let scratch = Scratch()
                let store = try await scratch.open(durability)
                let threads = CommitThreads()
                try #require(store.writer).read { connection throws(PersistencyError) in
                    threads.watch(connection)
                }
                var callers: [ThreadID] = []
                for number in 0..<10 {
                    callers.append(.current)
                    try await store.insert(Sample.tag(number, "\(number)"))
                    callers.append(.current)
                }
                let isElsewhere = Set(callers).isDisjoint(with: threads.seen)
                #expect(threads.seen.count == 10 && isElsewhere == (durability == .full), "\(durability)")
                await store.close()
            }
        }

        @Test func `a commit of many bytes runs off the caller's thread, however few rows it has`() async throws {
            let scratch = Scratch()
            let store = try await scratch.open(.normal)
            let threads = CommitThreads()
            try #require(store.writer).read { connection throws(PersistencyError) in
                threads.watch(connection)
            }
            var callers: [ThreadID] = []
            for number in 0..<5 {
                callers.append(.current)
                try await store.insert(Sample.tag(number, String(repeating: "\(number)", count: 300_000)))
                callers.append(.current)
            }
            #expect(threads.seen.count == 5 && Set(callers).isDisjoint(with: threads.seen))
            await store.close()
        }

        @Test func `a point read that meets no lock waits for nothing, and stays where it is`() async throws {
            let store = try await scratch.open(.normal)
            try await store.insert(Sample.tag(1, "a"))
            let before = await store.measurements().longWork
            for _ in 0..<50 { _ = try await store.read(Sample.id(1), of: Sample.tag) }
            #expect(await store.measurements().longWork == before)
        }

        /// Has another process lock the whole log, reads by id meanwhile, and records the thread that waits.
        ///
        /// - Parameter whileLocked: Runs while the lock is held.
        private func readUnderLock(
            _ access: SQLiteStore.Access, whileLocked: (SQLiteStore) async throws -> Void = { _ in }
        ) async throws {
            let path = scratch.path
            let writer = try await scratch.open(.normal, busyTimeout: .seconds(60))
            try await writer.insert(Sample.tag(1, "a"))
            let reader = try await scratch.open(access: .readOnly, busyTimeout: .seconds(60))
            let store = access == .readOnly ? reader : writer
            let other = Task {
                _ = await #expect(processExitsWith: .success) { [path = path as String] in
                    let recovery = try LogRecovery(path)
                    OtherProcess.say("locked", beside: path)
                    try await OtherProcess.hear("enough", beside: path)
                    recovery.end()
                }
            }
            try await OtherProcess.hear("locked", beside: path)
            try await whileLocked(store)
            func waits() -> Int { store.workLog.places.ownThread[.lockWait] ?? 0 }
            let before = waits()
            let hasRead = Mutex(false)
            let reading = Task {
                defer { hasRead.withLock { $0 = true } }
                return try await store.read(Sample.id(1), of: Sample.tag)
            }
            try await until { waits() > before }
            #expect(waits() == before + 1)
            // The lock is still held, so the read has not returned; other work does not wait.
            try await Task.sleep(for: .milliseconds(50))
            #expect(!hasRead.withLock { $0 })
            OtherProcess.say("enough", beside: path)
            #expect(try await reading.value == Sample.tag(1, "a"))
            #expect(store.workLog.places.elsewhere.isEmpty)
            await other.value
        }

        @Test func `a point read waits for a lock on the store's thread`() async throws {
            try await readUnderLock(.readWrite)
            try await Self().readUnderLock(.readOnly)
        }

        @Test func `a point read waits on the store's thread, too, when it needs a new connection`() async throws {
            let gate = DispatchSemaphore(value: 0)
            try await readUnderLock(.readOnly) { store in
                let pool = try #require(store.pool)
                // Takes the only idle connection out of the pool.
                let isTaken = Mutex(false)
                DispatchQueue(label: "borrower").async {
                    _ = try? pool.read { _ throws(PersistencyError) in
                        isTaken.withLock { $0 = true }
                        gate.wait()
                    }
                }
                try await until { isTaken.withLock { $0 } }
            }
            gate.signal()
        }
    }
}

/// A counter shared by tasks.
private final class Count: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
