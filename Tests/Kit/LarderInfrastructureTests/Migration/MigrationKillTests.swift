import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores whose process ends in the middle of a migration, at every point.
@Suite(.serialized) struct MigrationKillTests {
    @Test func `a database is the old one or the new one, killed at whichever statement`() async throws {
        var count = 0
        for evolved in try Evolved.cases() { count += try await killAtStatements(evolved) }
        print("proof: migrations of a database killed at \(count) statements, 0 wrong")
        #expect(count > 300)
    }

    /// Kills the process before each statement: copies of the files at that time are its remains.
    ///
    /// - Returns: The number of statements.
    private func killAtStatements(_ evolved: Evolved) async throws -> Int {
        let (scratch, copies) = (Scratch(), Scratch())
        let store = try await scratch.open(schemas: evolved.old)
        try await MigrationBench.fill(store, evolved)
        await store.close()
        try FileManager.default.createDirectory(atPath: copies.folder, withIntermediateDirectories: true)
        var count = 0
        do {
            let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
            // Pages must reach the log before the commit, as those of a large transaction do.
            try connection.execute("PRAGMA cache_size = 1")
            let traced = TracedStatements(connection) {
                for suffix in ["", "-wal"] {
                    try? FileManager.default.copyItem(
                        atPath: scratch.path + suffix, toPath: copies.folder + "/\(count).sqlite\(suffix)")
                }
                count += 1
            }
            try withExtendedLifetime(traced) {
                try SQLiteMigration(
                    connection: connection, plan: SQLPlan(evolved.new), options: MigrationBench.all
                ).apply()
            }
        }
        let old = Evolved.lines(evolved.objects)
        for number in 0..<count {
            let path = copies.folder + "/\(number).sqlite"
            let isOld = try !SQLiteStore.schemaStatus(path: path, schemas: evolved.new).changes.isEmpty
            if isOld {
                let store = try await MigrationBench.open(path, evolved.old)
                #expect(try await Evolved.lines(store.everything()) == old, "\(evolved.name), statement \(number)")
                await store.close()
            }
            let store = try await MigrationBench.open(path, evolved.new)
            #expect(
                try await Evolved.lines(store.everything()) == evolved.expected, "\(evolved.name), statement \(number)")
            await store.close()
        }
        return count
    }

    @Test func `a log is the old one or the new one, killed or without power at whichever operation`() async throws {
        var (killed, lost) = (0, 0)
        for evolved in try Evolved.cases() {
            let (operations, images) = try endAtOperations(evolved)
            killed += operations
            lost += images
        }
        print("proof: migrations of a log killed at \(killed) operations, and \(lost) losses of power, 0 wrong")
        #expect(killed > 200 && lost > 1_000)
    }

    private func endAtOperations(_ evolved: Evolved) throws -> (operations: Int, images: Int) {
        let old = LogBench(evolved.old)
        let first = SimulatedFileSystem(LogBench.disk)
        var engine = try old.open(first)
        try engine.commit(ChangeSet(inserts: evolved.objects))
        engine.close()
        first.killProcess()
        let fileSystem = SimulatedFileSystem(first.disk, keepsHistory: true)
        _ = try migrated(evolved, on: fileSystem)
        var images = 0
        for number in 0...fileSystem.operationCount {
            let disk = fileSystem.disk(after: number)
            try check(disk, evolved, "operation \(number)")
            let crashes = CrashImages(disk)
            for image in 0..<min(crashes.count, 64) {
                try check(crashes[image], evolved, "operation \(number), image \(image)")
                images += 1
            }
        }
        return (fileSystem.operationCount, images)
    }

    private func migrated(_ evolved: Evolved, on fileSystem: SimulatedFileSystem) throws -> [String] {
        let configuration = FileStore.Configuration(LogBench.folder, busyTimeout: .zero, migration: MigrationBench.all)
        let engine = try LogBench(evolved.new).opening.open(LogPlace(LogBench.folder, fileSystem), configuration)
        return Evolved.lines(evolved.new.roots.flatMap { engine.roots($0) })
    }

    private func check(_ disk: SimulatedDisk, _ evolved: Evolved, _ place: String) throws {
        let fileSystem = SimulatedFileSystem(disk)
        let file = try fileSystem.open(LogBench.log)
        let head = try LogReplay(file, path: LogBench.log, declared: evolved.new).head
        if try !SchemaPlanner.plan(evolved.new, over: head.record).isEmpty {
            let engine = try LogBench(evolved.old).open(SimulatedFileSystem(disk))
            let found = Evolved.lines(evolved.old.roots.flatMap { engine.roots($0) })
            #expect(found == Evolved.lines(evolved.objects), "\(evolved.name), \(place)")
        }
        #expect(try migrated(evolved, on: fileSystem) == evolved.expected, "\(evolved.name), \(place)")
    }
}
