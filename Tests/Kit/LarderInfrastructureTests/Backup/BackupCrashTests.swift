import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Kills, losses of power, and errors at every call of a backup and of a restore into a file store.
struct BackupCrashTests {
    private static let path = "/db/b"
    private let schemas: SchemaSet
    private let snapshot: StoreSnapshot

    init() async throws {
        schemas = try Sample.schemas()
        let store = MemoryStore(schemas)
        try await BackupBench.fill(store)
        let state = try store.withState { (state) throws(PersistencyError) in state }
        snapshot = StoreSnapshot(state, LogCodec(schemas, recordBytes: 2000))
    }

    private func backUp(_ fileSystem: SimulatedFileSystem) throws(PersistencyError) -> Backup {
        try BackupDraft(Self.path, replacing: true, fileSystem, salt: 1).write(snapshot)
    }

    /// The description of the backup on a disk; `nil` if there is no file.
    private func found(on disk: SimulatedDisk) throws -> Backup? {
        let fileSystem = SimulatedFileSystem(disk)
        guard try fileSystem.status(Self.path) != nil else { return nil }
        var reader = try BackupReader(fileSystem.open(Self.path), path: Self.path)
        return try reader.forEach()
    }

    /// Some of the disks that a loss of power leaves.
    private func images(_ disk: SimulatedDisk) -> [SimulatedDisk] {
        let images = CrashImages(disk)
        return (0..<min(images.count, 40)).map { images[$0] }
    }

    @Test func `a file under the final name is complete after a kill or a loss of power at every call`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk, keepsHistory: true)
        let first = try backUp(fileSystem)
        let calls = fileSystem.operationCount
        #expect(calls > 10)
        var complete = 0
        for call in 0...calls {
            for disk in [fileSystem.disk(after: call)] + images(fileSystem.disk(after: call)) {
                guard let backup = try found(on: disk) else { continue }
                #expect(backup.entities == first.entities)
                complete += 1
            }
        }
        #expect(complete > 1)
        // The folder was synced, so nothing is lost after the return.
        #expect(try images(fileSystem.disk).allSatisfy { try found(on: $0) != nil })
    }

    @Test func `an error at any call leaves the previous backup or the new one, and no draft`() throws {
        let previous = SimulatedFileSystem(LogBench.disk)
        let empty = StoreSnapshot(StoreState(schemas: schemas), LogCodec(schemas))
        _ = try BackupDraft(Self.path, replacing: true, previous, salt: 2).write(empty)
        let calls = SimulatedFileSystem(previous.disk)
        let count = try backUp(calls).count
        for call in 0..<calls.operationCount {
            let fileSystem = SimulatedFileSystem(previous.disk)
            fileSystem.inject { number, _ in number == call ? .error(5) : nil }
            #expect(throws: PersistencyError.self) { try backUp(fileSystem) }
            #expect([0, count].contains(try found(on: fileSystem.disk)?.count))
            #expect(fileSystem.disk.files.keys.sorted() == [Self.path])
        }
        let full = SimulatedFileSystem(previous.disk)
        full.limit(to: 3000)
        #expect(throws: PersistencyError.self) { try backUp(full) }
        #expect(try full.disk.files.keys.sorted() == [Self.path] && found(on: full.disk)?.count == 0)
    }

    @Test func `a restore leaves the old store or the new one after a kill or a loss of power at every call`() throws {
        let bench = LogBench(schemas)
        let fileSystem = SimulatedFileSystem(LogBench.disk, keepsHistory: true)
        _ = try backUp(fileSystem)
        var old = try bench.open(fileSystem)
        try old.commit(ChangeSet(inserts: [Sample.tag(99, "old")]))
        old.close()
        fileSystem.killProcess()
        let place = try LogPlace(LogBench.folder, fileSystem)
        let start = fileSystem.operationCount
        let reader = try BackupReader(fileSystem.open(Self.path), path: Self.path)
        let backup = try place.restore(reader, for: schemas, replacing: true, salt: 3)
        var news = 0
        for call in start...fileSystem.operationCount {
            for disk in [fileSystem.disk(after: call)] + images(fileSystem.disk(after: call)) {
                let engine = try bench.open(SimulatedFileSystem(disk))
                let count = schemas.roots.reduce(0) { $0 + engine.roots($1).count }
                #expect(count == 1 || count == backup.count)
                if count > 1 { news += 1 }
            }
        }
        #expect(news > 1)
        for disk in images(fileSystem.disk) {
            #expect(try bench.roots(Sample.book, on: disk).count == 29)
        }
    }
}
