import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

/// Reading a log without its store.
struct LogInspectorTests {
    private let bench: LogBench

    init() throws {
        bench = LogBench(try Sample.schemas())
    }

    /// A log with one root and three commits, and its disk.
    private func filled() throws -> SimulatedFileSystem {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        try engine.insert(Sample.tag(0, "first"))
        try engine.compact()
        try engine.insert(Sample.tag(1, "a"), Sample.tag(2, "b"))
        try engine.replace(Sample.tag(1, "c"))
        try engine.delete(Sample.tag(2, "b"))
        engine.close()
        return fileSystem
    }

    private func log(
        on fileSystem: SimulatedFileSystem, pause: @escaping @Sendable () async -> Void = {}
    ) throws -> LogInspector {
        try LogInspector(fileSystem.open(LogBench.log), path: LogBench.log, pause: pause)
    }

    private func entries(_ log: consuming LogInspector) async throws -> [LogInspector.Entry] {
        var entries: [LogInspector.Entry] = []
        while let entry = try await log.next() { entries.append(entry) }
        return entries
    }

    private func change(_ fileSystem: SimulatedFileSystem, _ body: (inout [UInt8]) -> Void) {
        fileSystem.tamper { disk in
            var bytes = disk.files[LogBench.log] ?? []
            body(&bytes)
            disk.place(.file(0), at: LogBench.log, bytes: bytes)
        }
    }

    @Test func `each record has its position and its content`() async throws {
        let fileSystem = try filled()
        let entries = try await entries(try log(on: fileSystem))
        #expect(
            entries.map(\.content) == [
                .head(sequence: 1), .roots(1), .end(roots: 1),
                .commits(2...2, inserts: 2, updates: 0, deletes: 0, removals: 0),
                .commits(3...3, inserts: 0, updates: 1, deletes: 0, removals: 0),
                .commits(4...4, inserts: 0, updates: 0, deletes: 1, removals: 0),
            ])
        let ends = entries.map { $0.offset + $0.size }
        #expect(entries.map(\.offset) == [0] + ends.dropLast())
        #expect(ends.last == fileSystem.disk.files[LogBench.log]?.count)
        #expect(!entries.contains { !$0.isIntact })
    }

    @Test func `whatever byte is wrong, its record is named and nothing after it is shown`() async throws {
        let whole = try await entries(try log(on: try filled()))
        for (index, entry) in whole.enumerated() {
            for place in [entry.offset + 4, entry.offset + 8, entry.offset + entry.size - 1] {
                let fileSystem = try filled()
                change(fileSystem) { $0[place] ^= 1 }
                let found = try await entries(try log(on: fileSystem))
                #expect(found.dropLast() == whole.prefix(index))
                #expect(found.last?.offset == entry.offset)
                #expect(found.last?.content == (index == whole.count - 1 ? .cutShort : .damage))
            }
        }
    }

    @Test func `a truncated record is distinguished from damage`() async throws {
        let fileSystem = try filled()
        let whole = try await entries(try log(on: fileSystem))
        change(fileSystem) { $0.removeLast(3) }
        let found = try await entries(try log(on: fileSystem))
        #expect(found.dropLast() == whole.dropLast())
        #expect(found.last?.content == .cutShort)
        #expect(found.last?.isIntact == false)
    }

    @Test func `a log without all of its roots is damaged, as when it is opened`() async throws {
        let whole = try await entries(try log(on: try filled()))
        for length in [whole[1].offset - 1, whole[1].offset, whole[2].offset - 1, whole[2].offset, whole[2].offset + 5]
        {
            let fileSystem = try filled()
            change(fileSystem) { $0.removeLast($0.count - length) }
            #expect(try await entries(try log(on: fileSystem)).last?.content == .damage, "\(length) bytes")
            #expect(refusal { () throws(PersistencyError) in _ = try bench.open(fileSystem) } == "unavailable failed")
        }
    }

    @Test func `a log that is cut while it is read ends with its remaining records`() async throws {
        for length in [0, 10, 200] {
            let fileSystem = try filled()
            change(fileSystem) { $0.append(contentsOf: [1, 2, 3]) }
            let log = try log(on: fileSystem) { _ = try? fileSystem.open(LogBench.log).truncate(to: length) }
            let found = try await entries(log)
            #expect(found.last?.content == .cutShort && found.count == 7)
        }
    }

    @Test func `a record that is being written is waited for`() async throws {
        let fileSystem = try filled()
        let whole = try await entries(try log(on: fileSystem))
        let bytes = try #require(fileSystem.disk.files[LogBench.log])
        change(fileSystem) { $0.removeLast(3) }
        let waits = Atomic(0)
        let log = try log(on: fileSystem) {
            if waits.add(1, ordering: .relaxed).newValue == 2 {
                _ = try? fileSystem.open(LogBench.log).write(Array(bytes.suffix(3)), at: bytes.count - 3)
            }
        }
        #expect(try await entries(log) == whole)
        #expect(waits.load(ordering: .relaxed) == 2)
    }

    @Test(arguments: [[], Array("Dear reader".utf8)])
    func `a file that is no log is refused`(bytes: [UInt8]) async throws {
        let fileSystem = try filled()
        change(fileSystem) { $0 = bytes }
        let error = await #expect(throws: PersistencyError.self) { try await entries(try log(on: fileSystem)) }
        #expect(error?.summary == "incompatible")
    }

    @Test func `a log that is in use is read up to its last record`() async throws {
        let scratch = Scratch()
        let store = try await FileStore.open(.init(scratch.folder), schemas: bench.opening.schemas)
        for number in 0..<3 { try await store.insert(Sample.tag(number, "\(number)")) }
        let log = try LogInspector(folder: scratch.folder)
        let found = try await entries(log)
        #expect(found.count == 5)
        #expect(try LogInspector.size(inFolder: scratch.folder) == found.reduce(0) { $0 + $1.size })
        try await store.insert(Sample.tag(3, "3"))
        await store.close()
    }

    @Test func `a file in the log's place that is no log is refused by name`() throws {
        let scratch = Scratch()
        for folder in ["", "/larder.log"] { try POSIXFileSystem().makeFolder(scratch.folder + folder) }
        let error = #expect(throws: PersistencyError.self) {
            try LogInspector(folder: scratch.folder)
        }
        #expect("\(try #require(error))".contains("larder.log is not a regular file"))
    }

    @Test func `where no log is, none is read or made`() throws {
        let scratch = Scratch()
        let missing = "unavailable failed"
        #expect(
            refusal { () throws(PersistencyError) in _ = try LogInspector(folder: scratch.folder) }
                == missing)
        #expect(
            refusal { () throws(PersistencyError) in _ = try LogInspector.size(inFolder: scratch.folder) } == missing)
    }
}
