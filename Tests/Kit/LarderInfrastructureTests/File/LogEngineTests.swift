import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The log on a working device.
struct LogEngineTests {
    private let bench: LogBench

    init() throws {
        bench = LogBench(try Sample.schemas())
    }

    @Test func `commits are stored when the log is reopened, closed or not`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(1, "a"), Sample.tag(2, "b"))
        try engine.replace(Sample.tag(1, "c"))
        try engine.delete(Sample.tag(2, "b"))
        try engine.insert(Sample.book(3, "Bread", pages: [Sample.page(4, "one")], tags: [1]))
        let roots = (engine.roots(Sample.tag), engine.roots(Sample.book))
        #expect(engine.state.sequence == 4)

        fileSystem.killProcess()
        var again = try bench.open(fileSystem)
        #expect(again.roots(Sample.tag) == roots.0 && again.roots(Sample.book) == roots.1)
        #expect(again.roots(Sample.tag).map(\.version) == [2])
        #expect(again.state.sequence == 4)
        #expect(try again.insert(Sample.tag(5, "e")).sequence == 5)
        again.close()
        fileSystem.killProcess()
        #expect(fileSystem.disk.files[LogBench.marker]?.count == LogMarker.size)
        let third = try bench.open(fileSystem)
        #expect(third.roots(Sample.tag).map(\.id) == [Sample.id(1), Sample.id(5)])
    }

    @Test func `a commit is one write and one sync, and so is a group`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        let opened = fileSystem.operationCount
        try engine.insert(Sample.tag(1, "a"))
        let length = engine.log.length
        let results = engine.commit([
            PendingCommit(ChangeSet(inserts: [Sample.tag(2, "b")])),
            PendingCommit(ChangeSet(inserts: [Sample.tag(3, "a")])),
            PendingCommit(ChangeSet(inserts: [Sample.tag(4, "d")])),
            PendingCommit(ChangeSet(reads: [Sample.tag(4, "d").expecting(1)])),
        ]).results
        let sequences = results.map { try? $0.get().sequence }
        #expect(sequences == [2, nil, 3, 3])
        let all = fileSystem.operations.dropFirst(opened)
        // Before each record, the store also checks that the log and the lock file still exist.
        #expect(all.count == 8)
        let log = all.filter(\.isChange)
        #expect(log.count == 4)
        #expect(log.last == .sync(LogBench.log))
        #expect(log.dropFirst(2).first == .write(LogBench.log, offset: length, count: engine.log.length - length))
    }

    @Test func `a log is made in this order, so that it is whole before it has its name`() throws {
        let fileSystem = SimulatedFileSystem()
        let place = try LogPlace("/a/b", fileSystem)
        _ = try bench.opening.open(place)
        let changes = fileSystem.operations.filter(\.isChange).map { operation in
            if case .write(let path, _, _) = operation { "write \(path)" } else { operation.description }
        }
        #expect(
            changes == [
                "mkdir /a", "sync folder /", "mkdir /a/b", "sync folder /a", "create /a/b/larder.new",
                "write /a/b/larder.new", "write /a/b/larder.new", "sync /a/b/larder.new",
                "rename /a/b/larder.new /a/b/larder.log", "sync folder /a/b",
            ])
    }

    @Test func `a clean close leaves a marker that is removed before the next record`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var first = try bench.open(fileSystem)
        try first.insert(Sample.tag(1, "a"))
        first.close()
        fileSystem.killProcess()
        let log = fileSystem.disk.files[LogBench.log]
        var engine = try bench.open(fileSystem)
        #expect(fileSystem.disk.files[LogBench.log] == log)
        let opened = fileSystem.operationCount
        engine.close()
        #expect(fileSystem.operationCount == opened)
        try engine.insert(Sample.tag(2, "b"))
        let changes = fileSystem.operations.dropFirst(opened).filter(\.isChange)
        #expect(changes.prefix(2) == [.remove(LogBench.marker), .syncFolder(LogBench.folder)])
        #expect(fileSystem.disk.files[LogBench.marker] == nil)
    }

    @Test func `a second opener gets the process that has the store open, until it closes`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        do {
            let engine = try bench.open(fileSystem, purpose: "serving")
            do throws(PersistencyError) {
                _ = try bench.open(fileSystem)
                Issue.record("opened twice")
            } catch {
                guard case .alreadyOpen(let holder) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(holder == "simulated serving")
            }
            #expect(engine.failure == nil)
        }
        _ = try bench.open(fileSystem)
    }

    @Test func `compaction keeps the stored roots and nothing else`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(1, "a"), Sample.tag(2, "b"))
        try engine.compact()
        let small = engine.log.length
        for name in 0..<50 { try engine.replace(Sample.tag(1, "name \(name)")) }
        try engine.replace(Sample.tag(1, "a"))
        let (salt, roots) = (engine.log.end.salt, engine.roots(Sample.tag))
        try engine.compact()
        #expect(engine.log.length == small)
        #expect(engine.log.end.salt != salt)
        #expect(fileSystem.disk.files[LogBench.log]?.count == small)
        #expect(Set(fileSystem.disk.files.keys) == [LogBench.log])
        try engine.insert(Sample.tag(3, "c"))
        fileSystem.killProcess()
        let again = try bench.open(fileSystem)
        #expect(again.roots(Sample.tag).prefix(2) == roots[...])
        #expect(again.roots(Sample.tag).map(\.version) == [52, 1, 1])
        #expect(again.state.sequence == 53)
    }

    @Test func `a removal is one small operation, is undone when it cannot be written, and is replayed`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(1, "a"), Sample.tag(2, "b"))
        for number in 10..<200 {
            try engine.insert(Sample.book(number, pages: [Sample.page(number + 500, "p", tags: [1])], tags: [2, 1, 2]))
        }
        let removals = Sample.book.references.filter { $0.target == "tag" }.map {
            ReferenceRemoval(of: Sample.id(1), from: $0)
        }
        let changes = ChangeSet(deletes: [Sample.tag(1, "a").expecting(1)], removals: removals)
        let before = engine.roots(Sample.book)
        fileSystem.limit(to: fileSystem.disk.liveBytes)
        #expect(refusal { () throws(PersistencyError) in try engine.commit(changes) } == "unavailable full")
        #expect(engine.roots(Sample.book) == before && engine.roots(Sample.book).allSatisfy { $0.version == 1 })
        #expect(engine.roots(Sample.tag).count == 2)
        fileSystem.limit(to: .max)
        let length = engine.log.length
        try engine.commit(changes)
        #expect(engine.log.length - length < 200)
        let after = engine.roots(Sample.book)
        #expect(after.allSatisfy { $0.version == 2 && $0.links[0] == [Sample.id(2), Sample.id(2)] })
        #expect(after.allSatisfy { $0.children[0][0].links == [[]] })
        fileSystem.killProcess()
        let again = try bench.open(fileSystem)
        #expect(again.roots(Sample.book) == after && again.roots(Sample.book).allSatisfy { $0.version == 2 })
        #expect(again.roots(Sample.tag).map(\.id) == [Sample.id(2)])
    }

    @Test func `compaction is due when half of the log is of no use, and not before`() throws {
        let bench = LogBench(try Sample.schemas(), compactionFloor: 0)
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        for number in 1...200 { try engine.insert(Sample.tag(number, "name \(number)")) }
        // The frames of such small commits are more than half of the log.
        try engine.compact()
        #expect(!engine.isCompactionDue)
        var count = 0
        while !engine.isCompactionDue {
            count += 1
            try #require(count < 1_000)
            try engine.replace(Sample.tag(7, "other \(count)"))
        }
        // The head and the frames also count as garbage.
        #expect(engine.log.length > 10_000 && count > 40)
        try engine.compact()
        #expect(!engine.isCompactionDue)
    }

    @Test func `a compaction that found no room is tried later, and after one that did as early as before`() throws {
        let bench = LogBench(try Sample.schemas(), compactionFloor: 0)
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        func lengthUntilDue() throws -> Int {
            for number in 0..<1_000 where !engine.isCompactionDue {
                try engine.replace(Sample.tag(1, "name \(number)"))
            }
            try #require(engine.isCompactionDue)
            return engine.log.length
        }
        try engine.insert(Sample.tag(1, "a"))
        try engine.compact()
        let first = try lengthUntilDue()
        fileSystem.limit(to: fileSystem.disk.liveBytes)
        #expect(refusal { () throws(PersistencyError) in try engine.compact() } == "unavailable full")
        #expect(!engine.isCompactionDue)
        fileSystem.limit(to: .max)
        #expect(try lengthUntilDue() > first)
        try engine.compact()
        #expect(try lengthUntilDue() < first + 100)
    }
}
