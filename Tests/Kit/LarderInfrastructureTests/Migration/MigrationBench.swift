import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Migrates data on each store.
enum MigrationBench {
    static let all = MigrationOptions(mode: .all)

    /// Migrates on each store and compares the data, and for SQLite the structure, with the expected ones.
    static func check(_ evolved: Evolved) async throws {
        try await checkMemory(evolved)
        try await checkFile(evolved)
        try await checkSQLite(evolved)
    }

    static func checkMemory(_ evolved: Evolved) async throws {
        let store = MemoryStore(evolved.old)
        try await fill(store, evolved)
        let migrated = try store.migrated(to: evolved.new)
        #expect(try await Evolved.lines(migrated.everything()) == evolved.expected, "memory")
        #expect(try await store.everything().count == evolved.objects.count)
    }

    static func checkFile(_ evolved: Evolved) async throws {
        let scratch = Scratch()
        let store = try await FileStore.open(.init(scratch.folder), schemas: evolved.old)
        try await fill(store, evolved)
        await store.close()
        for round in 1...2 {
            let configuration = FileStore.Configuration(scratch.folder, migration: all)
            let migrated = try await FileStore.open(configuration, schemas: evolved.new)
            #expect(try await Evolved.lines(migrated.everything()) == evolved.expected, "file, opening \(round)")
            await migrated.close()
        }
        #expect(try FileStore.schemaStatus(inFolder: scratch.folder, schemas: evolved.new).changes.isEmpty)
    }

    static func checkSQLite(_ evolved: Evolved) async throws {
        let (scratch, fresh) = (Scratch(), Scratch())
        let store = try await scratch.open(schemas: evolved.old)
        try await fill(store, evolved)
        await store.close()
        for round in 1...2 {
            let migrated = try await open(scratch.path, evolved.new)
            #expect(try await Evolved.lines(migrated.everything()) == evolved.expected, "sqlite, opening \(round)")
            #expect(try await migrated.integrityProblems().isEmpty)
            await migrated.close()
        }
        try await fresh.open(schemas: evolved.new).close()
        #expect(try DatabaseStructure.lines(scratch.path) == DatabaseStructure.lines(fresh.path))
        #expect(try SQLiteStore.schemaStatus(path: scratch.path, schemas: evolved.new).changes.isEmpty)
    }

    static func fill(_ store: any Store, _ evolved: Evolved) async throws {
        _ = try await store.commit(ChangeSet(inserts: evolved.objects))
    }

    static func open(
        _ path: String, _ schemas: SchemaSet, _ options: MigrationOptions = all
    ) async throws(PersistencyError) -> SQLiteStore {
        try await SQLiteStore.open(
            .init(.file(path), durability: .normal, busyTimeout: .zero, migration: options), schemas: schemas)
    }
}
