import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Failed migrations: each is a typed error that says what to do, and leaves the store as it was.
@Suite(.serialized) struct MigrationFailureTests {
    @Test func `each failure is named, and the stores stay as they are`() async throws {
        let cases = try FailedMigration.steps() + FailedMigration.plans() + FailedMigration.values()
        #expect(cases.count >= 30)
        for failed in cases {
            try await checkSQLite(failed)
            try await checkFile(failed)
            if failed.options.mode == .all { try await checkMemory(failed) }
        }
    }

    private func check(_ failed: FailedMigration, _ error: PersistencyError?, _ store: String) {
        #expect(error?.summary == "incompatible", "\(failed.name), \(store): \(error as Any)")
        for words in failed.words {
            #expect(error?.description.contains(words) == true, "\(failed.name), \(store): \(error as Any)")
        }
    }

    private func checkSQLite(_ failed: FailedMigration) async throws {
        let scratch = Scratch()
        let store = try await scratch.open(schemas: failed.old)
        _ = try await store.commit(ChangeSet(inserts: failed.objects))
        await store.close()
        let before = try DatabaseStructure.lines(scratch.path)
        let error = await failure { () async throws(PersistencyError) in
            await (try MigrationBench.open(scratch.path, failed.new, failed.options)).close()
        }
        check(failed, error, "sqlite")
        #expect(try DatabaseStructure.lines(scratch.path) == before)
        let again = try await scratch.open(schemas: failed.old)
        #expect(try await Evolved.lines(again.everything()) == Evolved.lines(failed.objects), "\(failed.name)")
        await again.close()
    }

    private func checkFile(_ failed: FailedMigration) async throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try LogBench(failed.old).open(fileSystem)
        try engine.commit(ChangeSet(inserts: failed.objects))
        engine.close()
        fileSystem.killProcess()
        let before = fileSystem.disk.files
        let configuration = FileStore.Configuration(LogBench.folder, busyTimeout: .zero, migration: failed.options)
        let error = await failure { () throws(PersistencyError) in
            _ = try LogBench(failed.new).opening.open(LogPlace(LogBench.folder, fileSystem), configuration)
        }
        check(failed, error, "file")
        #expect(fileSystem.disk.files == before)
    }

    private func checkMemory(_ failed: FailedMigration) async throws {
        let store = MemoryStore(failed.old)
        _ = try await store.commit(ChangeSet(inserts: failed.objects))
        let error = await failure { () throws(PersistencyError) in _ = try store.migrated(to: failed.new) }
        check(failed, error, "memory")
    }

    @Test func `schemas that contradict themselves are refused before any store is opened`() {
        for (words, make) in FailedMigration.contradictions() {
            let error = #expect(throws: PersistencyError.self) { try make() }
            #expect(error?.description.contains(words) == true, "\(words): \(error as Any)")
        }
    }
}
