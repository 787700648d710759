import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The targets of restores.
struct BackupRestoreTests {
    private static let durable = [BackupBench.Kind.file, .sqlite]

    private func backup(_ bench: BackupBench, _ name: String = "b", schemas: SchemaSet? = nil) async throws {
        let store = MemoryStore(try schemas ?? Sample.schemas())
        if schemas == nil { try await BackupBench.fill(store) }
        _ = try await Backup.write(store, to: bench.path(name))
    }

    @Test(arguments: durable) func `a store is replaced only on request`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        try await backup(bench)
        let store = try await bench.open(kind)
        try await store.insert(Sample.tag(99, "old"))
        await store.close()
        let before = try bench.files()
        let error = await refusal { try await bench.restore(kind, "b", "store") }
        #expect(try #require(error).hasSuffix("exists already"))
        #expect(try bench.files() == before)
        try await bench.restore(kind, "b", "store", replacing: true)
        let restored = try await bench.open(kind)
        #expect(try await restored.read(Sample.id(99), of: Sample.tag) == nil)
        #expect(try await restored.read(Sample.id(1), of: Sample.tag) != nil)
        await restored.close()
    }

    @Test func `the restored log of a file store is used as it is, and has another lifetime`() async throws {
        let bench = try BackupBench()
        let first = try await bench.open(.file)
        try await BackupBench.fill(first)
        let old = try await Backup.write(first, to: bench.path("b")).token
        await first.close()
        try await bench.restore(.file, "b")
        let log = try bench.bytes("restored/larder.log")
        let store = try await bench.open(.file, "restored")
        let token = try await store.commit(ChangeSet()).token
        #expect(token.position == old.position && token.lifetime != old.lifetime)
        await store.close()
        #expect(try bench.bytes("restored/larder.log") == log)
    }

    @Test(arguments: durable) func `a store in use is not replaced`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        try await backup(bench)
        let store = try await bench.open(kind)
        let error = await failure { () async throws(PersistencyError) in
            do { try await bench.restore(kind, "b", "store", replacing: true) } catch let error as PersistencyError {
                throw error
            } catch {}
        }
        guard case .alreadyOpen? = error else { throw try #require(error) }
        try await store.insert(Sample.tag(99, "new"))
        await store.close()
    }

    @Test(arguments: durable)
    func `a damaged backup leaves the target as it was`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        try await backup(bench)
        let store = try await bench.open(kind)
        try await store.insert(Sample.tag(99, "old"))
        await store.close()
        var bytes = try bench.bytes("b")
        bytes[bytes.count / 2] ^= 1
        try bench.write(bytes, "b")
        let before = try bench.files()
        let error = await refusal { try await bench.restore(kind, "b", "store", replacing: true) }
        #expect(try #require(error).contains("damaged at byte"))
        #expect(try bench.files() == before)
        // A new target gets no files at all.
        await #expect(throws: PersistencyError.self) { try await bench.restore(kind, "b", "new") }
        #expect(try bench.files() == before)
    }

    @Test(arguments: BackupBench.Kind.allCases)
    func `a backup with a duplicate or without a target of a reference is refused`(kind: BackupBench.Kind) async throws
    {
        let bench = try BackupBench()
        for roots in [[Sample.tag(1, "a"), Sample.tag(2, "a")], [Sample.book(3, sequels: [4])]] {
            let codec = LogCodec(try Sample.schemas())
            let snapshot = StoreSnapshot(codec: codec, sequence: 1) { body throws(PersistencyError) in
                for var root in roots {
                    root.version = 1
                    try body(root)
                }
            }
            _ = try BackupDraft(bench.path("forged"), replacing: true, POSIXFileSystem()).write(snapshot)
            await #expect(throws: PersistencyError.self) { try await bench.restore(kind, "forged") }
            #expect(try bench.files().keys.sorted() == ["forged"])
        }
    }

    @Test func `a log that was not checkpointed belongs to the old database only`() async throws {
        let bench = try BackupBench()
        try await backup(bench)
        let store = try await bench.open(.sqlite)
        try await store.insert(Sample.tag(99, "old"))
        // The state that a killed process leaves.
        for suffix in ["", "-wal"] { try bench.write(try bench.bytes("store" + suffix), "killed" + suffix) }
        await store.close()
        #expect(try bench.bytes("killed-wal").count > 0)
        try await bench.restore(.sqlite, "b", "killed", replacing: true)
        #expect(try bench.files().keys.filter { $0.hasPrefix("killed") } == ["killed"])
        let restored = try await bench.open(.sqlite, "killed")
        #expect(try await restored.read(Sample.id(99), of: Sample.tag) == nil)
        #expect(try await restored.read(Sample.id(1), of: Sample.tag) != nil)
        await restored.close()
        try bench.write(try bench.bytes("b"), "foreign")
        try bench.write([1, 2, 3], "foreign-wal")
        let error = await refusal {
            try await bench.restore(.sqlite, "b", "foreign", replacing: true)
        }
        #expect(try #require(error).contains("move the file away"))
    }

    @Test(arguments: BackupBench.Kind.allCases)
    func `older schemas are migrated, newer ones refused`(kind: BackupBench.Kind) async throws {
        for evolved in try Evolved.cases() {
            let bench = try BackupBench()
            let store = MemoryStore(evolved.old)
            var changes = ChangeSet(inserts: evolved.objects)
            changes.keepsVersions = true
            _ = try await store.commit(changes)
            _ = try await Backup.write(store, to: bench.path("b"))
            let restored = try await bench.restored(kind, "b", schemas: evolved.new, migration: .all)
            #expect(Evolved.lines(try await restored.everything()) == evolved.expected, "\(evolved.name)")
            await restored.close()
        }
        let renamed = try Evolved.renamed()
        let bench = try BackupBench()
        try await backup(bench, schemas: renamed.new)
        await #expect(throws: PersistencyError.self) { try await bench.restore(kind, "b", schemas: renamed.old) }
        #expect(try bench.files().keys.sorted() == ["b"])
    }

    @Test(arguments: durable)
    func `columns and entities that the program does not declare are kept`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        let later = EntitySchema(
            name: "tag",
            columns: Sample.tag.columns + [Column(name: "colour", type: .text, isNullable: true)], uniques: [[0]])
        let schemas = try SchemaSet([later, Sample.cover, Sample.book, Sample.shelf, .init(name: "pen", columns: [])])
        let pen = StorageObject(schema: schemas.roots[4], id: Sample.id(5), values: [])
        let store = try await bench.open(kind, schemas: schemas)
        let tag = StorageObject(schema: later, id: Sample.id(1), values: [.text("a"), .text("red")])
        try await store.insert(tag, pen)
        let complete = try await Backup.write(store, to: bench.path("complete"))
        await store.close()
        let older = try await bench.open(kind)
        let backup = try await Backup.write(older, to: bench.path("b"))
        #expect(Set(backup.entities) == Set(complete.entities))
        await older.close()
        for target in Self.durable {
            let restored = try await bench.restored(target, "b", "to-\(target)", schemas: schemas)
            #expect(try await restored.read(Sample.id(1), of: later)?.values == tag.values)
            #expect(try await restored.read(Sample.id(5), of: pen.schema) != nil)
            await restored.close()
        }
    }
}
