import LarderData
import LarderDomain
import LarderStoreContract
import Synchronization
import Testing

@testable import LarderInfrastructure

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file store on top of the log: waiting commits and notifications.
struct FileStoreTests {
    private let fileSystem = SimulatedFileSystem(LogBench.disk)
    private let opening: LogOpening

    init() throws {
        opening = LogBench(try Sample.schemas()).opening
    }

    private func open(
        _ opening: LogOpening? = nil, journal: JournalBounds? = JournalBounds(),
        makeThread: @Sendable (String) -> StoreThread = StoreThread.init(label:)
    ) async throws -> FileStore {
        try await FileStore.open(
            .init(LogBench.folder, journal: journal), opening ?? self.opening, fileSystem: fileSystem,
            makeThread: makeThread)
    }

    /// Blocks every sync until it is released.
    private final class Hold: Sendable {
        private let isHeld = Atomic(true)
        private let isMet = Atomic(false)

        init(_ fileSystem: SimulatedFileSystem) {
            fileSystem.inject { [self] _, operation in
                guard case .sync = operation else { return nil }
                isMet.store(true, ordering: .sequentiallyConsistent)
                while isHeld.load(ordering: .sequentiallyConsistent) { usleep(200) }
                return nil
            }
        }

        func release() { isHeld.store(false, ordering: .sequentiallyConsistent) }

        func untilMet() async throws {
            try await until { isMet.load(ordering: .sequentiallyConsistent) }
        }
    }

    @Test func `readers wait for no sync, and see nothing before it is done`() async throws {
        let store = try await open()
        try await store.insert(Sample.tag(1, "a"))
        let hold = Hold(fileSystem)
        async let commit = store.insert(Sample.tag(2, "b"))
        try await hold.untilMet()
        #expect(try await store.read(Sample.id(1), of: Sample.tag) == Sample.tag(1, "a"))
        #expect(try await store.read(Sample.id(2), of: Sample.tag) == nil)
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 1)
        hold.release()
        #expect(try await commit.sequence == 2)
        #expect(try await store.read(Sample.id(2), of: Sample.tag) == Sample.tag(2, "b"))
        await store.close()
    }

    @Test func `commits that wait share one write and one sync, and observers receive them in order`() async throws {
        let store = try await open()
        let stream = await store.changes()
        let hold = Hold(fileSystem)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await store.insert(Sample.tag(0, "0")) }
            try await hold.untilMet()
            for number in 1...20 { group.addTask { _ = try await store.insert(Sample.tag(number, "\(number)")) } }
            try await until { store.queue.waitingCount >= 20 }
            hold.release()
            try await group.waitForAll()
        }
        let log = fileSystem.operations.filter { if case .sync(LogBench.log) = $0 { true } else { false } }
        #expect(log.count == 2)
        await store.close()
        let heard = await stream.reduce(into: []) { $0.append($1.sequence) }
        #expect(heard == Array(1...21))
    }

    @Test func `a subscriber does not receive commits that were acknowledged before`() async throws {
        let store = try await open()
        for number in 0..<200 {
            let receipt = try await store.insert(Sample.tag(number, "\(number)"))
            let stream = await store.changes()
            let next = try await store.insert(Sample.tag(1_000 + number, "x\(number)"))
            #expect(next.sequence == receipt.sequence + 1)
            var heard = stream.makeAsyncIterator()
            #expect(await heard.next()?.sequence == next.sequence)
        }
        await store.close()
    }

    @Test func `after a sync that failed reads go on, and commits when the store was opened again`() async throws {
        let store = try await open()
        try await store.insert(Sample.tag(1, "a"))
        let stream = await store.changes()
        fileSystem.inject { _, operation in if case .sync = operation { .error(5) } else { nil } }
        // The record of the first commit may be on the device; that of the second was not written.
        for (name, summary) in [("b", "in doubt failed"), ("c", "unavailable failed")] {
            let changes = ChangeSet(inserts: [Sample.tag(2, name)])
            let error = await failure { () async throws(PersistencyError) in _ = try await store.commit(changes) }
            #expect(error?.summary == summary)
            #expect(store.outcome(of: changes.id) == (name == "b" ? .unknown : .absent))
        }
        fileSystem.inject(nil)
        #expect(try await store.read(ReadRequest(Sample.tag)).items == [Sample.tag(1, "a")])
        await store.close()
        #expect(await stream.reduce(into: 0) { count, _ in count += 1 } == 0)
        let again = try await open()
        // The changes of the failed sync may or may not be on the device. Either way, the store accepts a commit.
        try await again.insert(Sample.tag(3, "d"))
        await again.close()
    }

    @Test func `the log does not grow without bound, and can be compacted at any time`() async throws {
        let bench = LogBench(try Sample.schemas(), compactionFloor: 4_000)
        let store = try await open(bench.opening, journal: nil)
        try await store.insert(Sample.tag(1, "name"))
        for number in 0..<500 { try await store.replace(Sample.tag(1, "name \(number)")) }
        let written = try #require(await store.measurements().bytesWritten)
        let length = try #require(fileSystem.disk.files[LogBench.log]?.count)
        #expect(written > 30_000 && length < 4_200)
        try await store.compact()
        let compact = try #require(fileSystem.disk.files[LogBench.log]?.count)
        #expect(compact < length)
        #expect(await store.measurements().longWork?.ownThread[.checkpoint] ?? 0 > 5)
        await store.close()
        let again = try await open()
        #expect(try await again.read(Sample.id(1), of: Sample.tag)?.version == 501)
        let error = await failure { () async throws(PersistencyError) in try await store.compact() }
        #expect(error?.summary == "unavailable closed")
        await again.close()
    }

    private func shelf(weighing weight: Double) -> [Value] {
        [.null, .null, .real(weight), .null, .text(""), .null, .integer(0), .null, .integer(0)]
    }

    @Test func `a value that could not be read back is refused`() async throws {
        let store = try await open()
        let odd = [
            StorageObject(schema: Sample.tag, id: Sample.id(1), values: []),
            StorageObject(schema: Sample.tag, id: Sample.id(1), values: [.integer(1)]),
            StorageObject(schema: Sample.tag, id: Sample.id(1), values: [.null]),
            StorageObject(schema: Sample.book, id: Sample.id(1), values: Sample.book(1).values),
            StorageObject(schema: Sample.shelf, id: Sample.id(1), values: shelf(weighing: .nan)),
            StorageObject(schema: Sample.shelf, id: Sample.id(1), values: shelf(weighing: .infinity)),
        ]
        for object in odd {
            let error = await failure { () async throws(PersistencyError) in try await store.insert(object) }
            #expect(error?.summary.hasPrefix("invalid") == true, "\(error as Any)")
        }
        #expect(await store.measurements().bytesWritten == 0)
        try await store.insert(Sample.tag(1, "a"))
        await store.close()
    }

    @Test func `a root that grew too large for a record is refused`() async throws {
        let half = Value.blob([UInt8](repeating: 1, count: ChangeSet.byteLimit / 2))
        let album = EntitySchema(
            name: "album",
            columns: (0..<3).map { Column(name: "photo\($0)", type: .blob, isNullable: true) })
        let albums = try await FileStore.open(
            .init("/albums"), LogBench(try SchemaSet([album])).opening, fileSystem: SimulatedFileSystem())
        var object = StorageObject(schema: album, id: Sample.id(1), values: [half, .null, .null])
        try await albums.insert(object)
        object.values[1] = half
        let error = await failure { [object] () async throws(PersistencyError) in try await albums.replace(object) }
        #expect(error?.summary == "unavailable tooLarge")
        #expect(try await albums.read(Sample.id(1), of: album)?.values[1] == .null)
        await albums.close()
    }

    @Test func `a store without its own threads breaks the law about threads`() async throws {
        let law = StoreContract.laws.filter { $0.needs.contains(.tellsThreads) }
        func verdicts(_ makeThread: @escaping @Sendable (String) -> StoreThread) async -> [Verdict] {
            let fixture = StoreFixture("file") { schemas, _ in
                try await FileStore.open(
                    .init(LogBench.folder), LogBench(schemas).opening, fileSystem: SimulatedFileSystem(LogBench.disk),
                    makeThread: makeThread)
            }
            return await StoreContract.judge(fixture, laws: law).map(\.verdict)
        }
        #expect(await verdicts(StoreThread.init(label:)).allSatisfy { $0 == .kept })
        for verdict in await verdicts({ _ in StoreThread(PoolExecutor()) }) {
            guard case .broken(let why) = verdict else {
                Issue.record("\(verdict)")
                continue
            }
            for work in [LongWork.scan, .sync] { #expect(why.contains("LongWork.\(work)")) }
        }
    }
}
