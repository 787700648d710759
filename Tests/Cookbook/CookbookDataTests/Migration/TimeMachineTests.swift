import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Databases of every earlier release, migrated to the current one.
@Suite(.serialized) struct TimeMachineTests {
    @Test(arguments: CookbookHistory.releases)
    func `a memory store of each release has the specified content after a migration`(release: Int) async throws {
        let old = MemoryStore(try CookbookHistory.schemas(of: release))
        try await TimeMachine.fill(old, release: release)
        let migrated = try old.migrated(to: CookbookHistory.newest())
        // A program without hints has nothing to change.
        let reopened = try migrated.migrated(to: CookbookHistory.mappers().schemas)
        try await TimeMachine.check(reopened, from: release, "memory")
    }

    @Test(arguments: CookbookHistory.releases)
    func `a file store of each release has the specified content, and a new one's shape, after a migration`(
        release: Int
    ) async throws {
        let (scratch, schemas) = (Scratch(), try CookbookHistory.mappers().schemas)
        try await TimeMachine.makeFiles(scratch.folder, release: release)
        try await TimeMachine.files(scratch.folder, CookbookHistory.newest()).close()
        let log = scratch.folder + "/larder.log"
        let bytes = try TimeMachine.bytes(log)
        let reopened = try await TimeMachine.files(scratch.folder, schemas)
        try await TimeMachine.check(reopened, from: release, "file")
        await reopened.close()
        #expect(try TimeMachine.bytes(log) == bytes)
        let head = try LogReplay(POSIXFile(reading: log), path: log, declared: schemas).head
        #expect(head.record.items == schemas.items)
        let status = try FileStore.schemaStatus(inFolder: scratch.folder, schemas: schemas)
        #expect(status.changes.isEmpty && status.kept.isEmpty && status.version == schemas.evolution.version)
    }

    @Test(arguments: CookbookHistory.releases)
    func `a database of each release has the specified content, and a new one's structure, after a migration`(
        release: Int
    ) async throws {
        let (scratch, fresh, schemas) = (Scratch(), Scratch(), try CookbookHistory.mappers().schemas)
        try await TimeMachine.makeDatabase(scratch.path, release: release)
        try await TimeMachine.database(scratch.path, CookbookHistory.newest()).close()
        let bytes = try TimeMachine.bytes(scratch.path)
        let reopened = try await TimeMachine.database(scratch.path, schemas)
        try await TimeMachine.check(reopened, from: release, "sqlite")
        #expect(try await reopened.integrityProblems().isEmpty)
        await reopened.close()
        #expect(try TimeMachine.bytes(scratch.path) == bytes)
        try await TimeMachine.database(fresh.path, schemas).close()
        #expect(try DatabaseStructure.lines(scratch.path) == DatabaseStructure.lines(fresh.path))
        let status = try SQLiteStore.schemaStatus(path: scratch.path, schemas: schemas)
        #expect(status.changes.isEmpty && status.kept.isEmpty && status.version == schemas.evolution.version)
    }
}

extension TimeMachine {
    /// The content of a file, empty if there is none.
    static func bytes(_ path: String) throws(PersistencyError) -> [UInt8] {
        let fileSystem = POSIXFileSystem()
        guard try fileSystem.status(path) != nil else { return [] }
        let file = try fileSystem.open(path)
        return try file.read(file.size(), at: 0)
    }
}
