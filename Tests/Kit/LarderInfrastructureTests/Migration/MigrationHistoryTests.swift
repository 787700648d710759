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
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The record of migrations, programs of other versions, and failures of the system.
@Suite(.serialized) struct MigrationHistoryTests {
    private let scratch = Scratch()
    private let evolved: Evolved

    init() throws { evolved = try .split() }

    private func fill() async throws {
        let store = try await scratch.open(schemas: evolved.old)
        try await MigrationBench.fill(store, evolved)
        await store.close()
    }

    private func refusal(_ schemas: SchemaSet, _ options: MigrationOptions = MigrationBench.all) async -> String? {
        let error = await failure { () async throws(PersistencyError) in
            await (try MigrationBench.open(scratch.path, schemas, options)).close()
        }
        return error?.description
    }

    private func edited(_ change: (MigrationStep) -> [MigrationStep], version: Int = 2) throws -> SchemaSet {
        let steps = evolved.new.evolution.steps.flatMap(change)
        let derivation = evolved.new.derivation(of: evolved.new.roots[0])
        return try SchemaSet(
            evolved.new.roots, derivations: derivation.map { ["user": $0] } ?? [:],
            evolution: SchemaEvolution(version: version, steps: steps))
    }

    @Test func `the history names each step, and an edited or missing one is reported`() async throws {
        try await fill()
        #expect(await refusal(evolved.new) == nil)
        let status = try SQLiteStore.schemaStatus(path: scratch.path, schemas: evolved.new)
        #expect(status.version == 2 && status.history.map(\.step) == ["", "split-name", ""])
        #expect(status.history.map(\.version) == [1, 2, 2] && status.changes.isEmpty)
        #expect(status.history.map(\.refusesBefore) == [1, 2, 1])

        let missing = await refusal(try edited { _ in [] })
        #expect(
            missing?.contains("has applied step 'split-name' of version 2, which this program does not declare") == true
        )
        let changed = await refusal(
            try edited {
                [
                    MigrationStep(
                        $0.name, version: 2, entity: "user", reading: $0.reads, adding: $0.adds,
                        removing: ["name", "x"],
                        transform: $0.transform)
                ]
            })
        #expect(changed?.contains("step 'split-name' was edited") == true)
        // A program that no longer migrates version 1 need not declare the step.
        let later = try SchemaSet(
            evolved.new.roots, derivations: ["user": try #require(evolved.new.derivation(of: evolved.new.roots[0]))],
            evolution: SchemaEvolution(version: 2, oldest: 2))
        #expect(await refusal(later) == nil)
    }

    @Test func `an older program is refused after a step, unless the step permits it`() async throws {
        try await fill()
        #expect(await refusal(evolved.new) == nil)
        let older = await refusal(evolved.old)
        #expect(older?.contains("refuses programs before schema version 2") == true)
        #expect(older?.contains("use a newer version of the program") == true)

        let converted = try Evolved.converted()
        let other = Scratch()
        let step = converted.new.evolution.steps[0]
        let permitted = MigrationStep(
            step.name, version: 2, refusesBefore: 1, entity: step.entity, reading: step.reads, transform: step.transform
        )
        let new = try SchemaSet(converted.new.roots, evolution: SchemaEvolution(version: 2, steps: [permitted]))
        await (try other.open(schemas: converted.old)).close()
        await (try MigrationBench.open(other.path, new)).close()
        let before = try DatabaseStructure.lines(other.path)
        await (try MigrationBench.open(other.path, converted.old)).close()
        #expect(try SQLiteStore.schemaStatus(path: other.path, schemas: new).history.count == 3)
        #expect(try DatabaseStructure.lines(other.path) == before)
    }

    @Test func `an older program that lacks what a newer one has renamed is refused, and changes nothing`() async throws
    {
        let evolved = try Evolved.renamed()
        let store = try await scratch.open(schemas: evolved.old)
        try await MigrationBench.fill(store, evolved)
        await store.close()
        #expect(await refusal(evolved.new) == nil)
        let before = scratch.bytes()
        let older = await refusal(evolved.old)
        #expect(older?.contains("the store has schema version 2, and this program 1") == true)
        #expect(scratch.bytes() == before)
    }

    @Test func `an older program that requires a column by its former name is told that it is older`() async throws {
        func book(_ column: String, formerly names: [String] = []) -> EntitySchema {
            EntitySchema(
                name: "book", columns: [Column(name: column, type: .text)],
                hints: SchemaHints(formerMembers: names.isEmpty ? [:] : [column: names]))
        }
        let old = try SchemaSet([book("title")])
        let new = try SchemaSet([book("name", formerly: ["title"])], evolution: SchemaEvolution(version: 2))
        await (try scratch.open(schemas: old)).close()
        #expect(await refusal(new) == nil)
        let older = await refusal(old)
        #expect(older?.contains("the store has schema version 2, and this program 1") == true, "\(older ?? "")")
    }

    @Test func `a copy is kept before a change that is not additive, unless it is declined`() async throws {
        try await fill()
        let copy = scratch.path + ".version-1"
        #expect(await refusal(evolved.new) == nil)
        let store = try await MigrationBench.open(copy, evolved.old)
        #expect(try await Evolved.lines(store.everything()) == Evolved.lines(evolved.objects))
        await store.close()
        var status = stat()
        _ = unsafe stat(copy, &status)
        #expect(status.st_mode & 0o777 == 0o600)

        let (other, added) = (Scratch(), try Evolved.added())
        await (try other.open(schemas: added.old)).close()
        await (try MigrationBench.open(other.path, added.new)).close()
        #expect(!FileManager.default.fileExists(atPath: other.path + ".version-1"))
        let declined = Scratch()
        await (try declined.open(schemas: evolved.old)).close()
        await (try MigrationBench.open(declined.path, evolved.new, .init(mode: .all, copies: false))).close()
        #expect(!FileManager.default.fileExists(atPath: declined.path + ".version-1"))
    }

    @Test func `a copy that cannot be made ends the migration before it starts`() async throws {
        try await fill()
        try FileManager.default.createDirectory(
            atPath: scratch.path + ".version-1/x", withIntermediateDirectories: true)
        let before = try DatabaseStructure.lines(scratch.path)
        #expect(await refusal(evolved.new)?.contains("version-1") == true)
        #expect(try DatabaseStructure.lines(scratch.path) == before)
        #expect(await refusal(evolved.new, .init(mode: .all, copies: false)) == nil)
    }

    @Test func `a second migrator gets the process that has the store open, and a reader that it must be migrated`()
        async throws
    {
        try await fill()
        let writer = try await MigrationBench.open(scratch.path, evolved.old)
        #expect(await refusal(evolved.new)?.contains("pid \(getpid()) ") == true)
        for access in [SQLiteStore.Access.readOnly, .readOnlyAfterUpgrade] {
            let error = await failure { () async throws(PersistencyError) in
                _ = try await SQLiteStore.open(
                    .init(.file(scratch.path), access: access, busyTimeout: .zero), schemas: evolved.new)
            }
            #expect(error?.description.contains("migrate") == true, "\(error as Any)")
        }
        await writer.close()
    }

    @Test func `a full device ends a migration, and the data is as before`() async throws {
        try await fill()
        do {
            let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
            let pages = try connection.integer("PRAGMA page_count")
            try connection.execute("PRAGMA max_page_count = \(pages)")
            let error = await failure { () throws(PersistencyError) in
                try SQLiteMigration(
                    connection: connection, plan: SQLPlan(evolved.new), options: MigrationBench.all
                ).apply()
            }
            #expect(error?.summary == "unavailable full")
            #expect(!connection.isInTransaction)
            #expect(try connection.integer("PRAGMA foreign_keys") == 1)
        }
        let store = try await scratch.open(schemas: evolved.old)
        #expect(try await Evolved.lines(store.everything()) == Evolved.lines(evolved.objects))
        await store.close()

        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try LogBench(evolved.old).open(fileSystem)
        try engine.commit(ChangeSet(inserts: evolved.objects))
        engine.close()
        fileSystem.killProcess()
        let log = fileSystem.disk.files[LogBench.log]
        fileSystem.limit(to: (log?.count ?? 0) + 100)
        let configuration = FileStore.Configuration(LogBench.folder, busyTimeout: .zero, migration: MigrationBench.all)
        let error = await failure { () throws(PersistencyError) in
            _ = try LogBench(evolved.new).opening.open(LogPlace(LogBench.folder, fileSystem), configuration)
        }
        #expect(error?.summary == "unavailable full")
        #expect(fileSystem.disk.files[LogBench.log] == log)
    }
}
