import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The log on a failing device.
struct LogFaultTests {
    private let bench: LogBench
    private static let (input, full): (Int32, Int32) = (5, 28)

    init() throws {
        bench = LogBench(try Sample.schemas())
    }

    @Test func `without room a commit is absent, reads go on, and so do commits when there is room`() throws {
        for room in [0, 1, 27, 28, 50] {
            let fileSystem = SimulatedFileSystem(LogBench.disk)
            var engine = try bench.open(fileSystem)
            try engine.insert(Sample.tag(1, "a"))
            let length = engine.log.length
            fileSystem.limit(to: length + room)
            let big = Sample.tag(2, String(repeating: "b", count: 1_000))
            let first = engine.commit([
                PendingCommit(ChangeSet(inserts: [big])), PendingCommit(ChangeSet(inserts: [Sample.tag(3, "c")])),
            ])
            #expect(first.committed.isEmpty)
            for result in first.results {
                #expect(refusal { () throws(PersistencyError) in _ = try result.get() } == "unavailable full")
            }
            #expect(engine.roots(Sample.tag) == [Sample.tag(1, "a")])
            #expect(engine.failure == nil && engine.log.length == length && engine.state.sequence == 1)
            #expect(fileSystem.disk.files[LogBench.log]?.count == length)
            // The remains of the write are gone from the device too.
            #expect(CrashImages(fileSystem.disk).count == 1)
            fileSystem.limit(to: .max)
            #expect(try engine.insert(big).sequence == 2)
            #expect(try bench.roots(Sample.tag, on: CrashImages(fileSystem.disk)[0]).count == 2)
        }
    }

    @Test func `a write that ends too early is as one without room`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        fileSystem.inject { _, operation in if case .write = operation { .short(10) } else { nil } }
        #expect(refusal { () throws(PersistencyError) in try engine.insert(Sample.tag(1, "a")) } == "unavailable full")
        fileSystem.inject(nil)
        try engine.insert(Sample.tag(1, "a"))
    }

    @Test func `after a sync that failed nothing is written until the log is opened again`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(1, "a"))
        fileSystem.inject { _, operation in if case .sync = operation { .error(Self.input) } else { nil } }
        #expect(
            refusal { () throws(PersistencyError) in try engine.insert(Sample.tag(2, "b")) } == "in doubt failed")
        fileSystem.inject(nil)
        let count = fileSystem.operationCount
        #expect(
            refusal { () throws(PersistencyError) in try engine.insert(Sample.tag(3, "c")) } == "unavailable failed")
        #expect(refusal { () throws(PersistencyError) in try engine.compact() } == "unavailable failed")
        engine.close()
        #expect(fileSystem.operationCount == count)
        #expect(engine.roots(Sample.tag) == [Sample.tag(1, "a")])

        // The system still returns the bytes that it could not write. If the next opening shows them, they must be
        // durable.
        fileSystem.killProcess()
        let again = try bench.open(fileSystem)
        let shown = again.roots(Sample.tag)
        let images = CrashImages(fileSystem.disk)
        for index in 0..<images.count { #expect(try bench.roots(Sample.tag, on: images[index]) == shown) }
    }

    @Test func `a failed truncation poisons the log`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        fileSystem.inject { _, operation in
            switch operation {
            case .write: .short(10)
            case .truncate: .error(Self.input)
            default: nil
            }
        }
        #expect(
            refusal { () throws(PersistencyError) in try engine.insert(Sample.tag(1, "a")) } == "in doubt failed")
        #expect(engine.failure?.summary == "unavailable failed")
        fileSystem.inject(nil)
        fileSystem.killProcess()
        #expect(try bench.open(fileSystem).roots(Sample.tag).isEmpty)
    }

    @Test func `compaction without room leaves the log as it is, and is not tried at once again`() throws {
        let bench = LogBench(try Sample.schemas(), compactionFloor: 0)
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(1, "a"))
        #expect(engine.isCompactionDue)
        fileSystem.limit(to: engine.log.length + 100)
        #expect(refusal { () throws(PersistencyError) in try engine.compact() } == "unavailable full")
        #expect(!engine.isCompactionDue && engine.failure == nil)
        #expect(Set(fileSystem.disk.files.keys) == [LogBench.log])
        fileSystem.limit(to: .max)
        try engine.insert(Sample.tag(2, "b"))
        try engine.compact()
        #expect(engine.roots(Sample.tag).count == 2)
    }

    @Test func `a compaction whose name may not last poisons the log`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk, keepsHistory: true)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(1, "a"))
        fileSystem.inject { _, operation in if case .syncFolder = operation { .error(Self.input) } else { nil } }
        #expect(refusal { () throws(PersistencyError) in try engine.compact() } == "unavailable failed")
        fileSystem.inject(nil)
        #expect(
            refusal { () throws(PersistencyError) in try engine.insert(Sample.tag(2, "b")) } == "unavailable failed")
        let images = CrashImages(fileSystem.disk)
        for index in 0..<images.count { #expect(try bench.roots(Sample.tag, on: images[index]).count == 1) }
    }

    @Test func `whatever fails while a log is closed, it can be written on and opened again`() throws {
        let start = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(start)
        try engine.insert(Sample.tag(1, "a"))
        let before = start.operationCount
        engine.close()
        for place in before..<start.operationCount {
            for fault in [SimulatedFault.error(Self.input), .error(Self.full), .short(7)] {
                let fileSystem = SimulatedFileSystem(LogBench.disk)
                var engine = try bench.open(fileSystem)
                try engine.insert(Sample.tag(1, "a"))
                fileSystem.inject { count, _ in count == place ? fault : nil }
                engine.close()
                fileSystem.inject(nil)
                let images = CrashImages(fileSystem.disk)
                for index in 0..<min(images.count, 200) {
                    #expect(try bench.roots(Sample.tag, on: images[index]).count == 1)
                }
                // The marker, which may exist, does not include this commit.
                try engine.insert(Sample.tag(2, "b"))
                fileSystem.killProcess()
                #expect(try bench.open(fileSystem).roots(Sample.tag).count == 2)
            }
        }
    }

    @Test func `whatever fails while a log is opened, it can be opened afterwards with all that it had`() throws {
        let start = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(start)
        for (number, name) in ["a", "b", "c"].enumerated() { try engine.insert(Sample.tag(number, name)) }
        let disk = start.disk
        let probe = SimulatedFileSystem(disk)
        _ = try bench.open(probe)
        var refused = 0
        for number in [Self.input, Self.full] {
            for place in 0..<probe.operationCount {
                let fileSystem = SimulatedFileSystem(disk)
                fileSystem.inject { count, _ in count == place ? .error(number) : nil }
                if refusal({ () throws(PersistencyError) in _ = try bench.open(fileSystem) }) != nil { refused += 1 }
                fileSystem.inject(nil)
                #expect(try bench.open(fileSystem).roots(Sample.tag).count == 3)
            }
        }
        #expect(refused > 20)
    }
}
