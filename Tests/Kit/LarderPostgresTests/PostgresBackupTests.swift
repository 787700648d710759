#if Postgres
import LarderData
import LarderDomain
@testable import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import LarderStoreContract
import Testing

/// Backups of stores in PostgreSQL, and restores into them.
@Suite(.postgres)
struct PostgresBackupTests {
    @Test(arguments: BackupBench.Kind.allCases)
    func `content moves from another store to PostgreSQL and back, with equal versions and digests`(
        kind: BackupBench.Kind
    ) async throws {
        let bench = try await PostgresBench("moved_\(kind)")
        let source = try await bench.files.open(kind)
        try await BackupBench.fill(source, label: "a")
        let expected = try await source.everything()
        let first = try await Backup.write(source, to: bench.files.path("a"))
        await source.close()
        #expect(try await bench.restore("a") == first)
        let store = try await bench.open()
        #expect(try await store.everything() == expected)
        let second = try await Backup.write(store, to: bench.files.path("b"))
        #expect(second.entities == first.entities && second.token.lifetime != first.token.lifetime)
        // The restored store continues.
        try await store.replace(Library.book(10, "Changed", tags: [1]))
        #expect(try await store.read(Library.id(10), of: Library.book)?.version == 5)
        let error = await failure { () async throws(PersistencyError) in try await store.insert(Library.tag(3, "a")) }
        #expect(error?.summary == "duplicate tag name 1")
        await store.close()
        let restored = try await bench.files.restored(kind, "b")
        #expect(try await restored.everything() == expected)
        await restored.close()
        await bench.drop()
    }

    @Test func `a backup of a store that is written to has one of its states`() async throws {
        let bench = try await PostgresBench("loaded")
        let store = try await bench.open()
        _ = try await store.commit(ChangeSet(inserts: (1...600).map { Library.tag($0, "0-\($0)") }))
        // Each commit changes two roots in different batches, so that a mixture of states is detected.
        let writing = Task {
            var round: Int64 = 1
            while !Task.isCancelled {
                let updates = [1, 600].map { number in
                    var changes = ObjectChanges()
                    changes.columns = [ColumnChange(column: 0, value: .text("\(round)-\(number)"))]
                    return RootUpdate(EntityKey(Library.tag, Library.id(number)), expected: round, changes: changes)
                }
                _ = try await store.commit(ChangeSet(updates: updates))
                round += 1
            }
        }
        var versions: Set<Int64> = []
        var number = 0
        while number < 5 || versions.count < 2 {
            number += 1
            let backup = try await Backup.write(store, to: bench.files.path("b\(number)"))
            let tags = try await MemoryStore.restored(from: backup.path, schemas: store.schemas).everything()
            #expect(tags.first?.version == tags.last?.version && tags.count == 600)
            versions.insert(tags[0].version)
        }
        writing.cancel()
        _ = await writing.result
        await store.close()
        await bench.drop()
    }

    @Test func `columns and entities that the program does not declare are in the backup, and restored`() async throws {
        let bench = try await PostgresBench("undeclared")
        let later = EntitySchema(
            name: "tag",
            columns: Library.tag.columns + [Column(name: "colour", type: .text, isNullable: true)], uniques: [[0]])
        let schemas = try SchemaSet([
            later, Library.cover, Library.book, Library.shelf, .init(name: "pen", columns: []),
        ])
        let store = try await bench.open(schemas)
        let tag = StorageObject(schema: later, id: Library.id(1), values: [.text("a"), .text("red")])
        try await store.insert(tag, StorageObject(schema: schemas.roots[4], id: Library.id(5), values: []))
        let complete = try await Backup.write(store, to: bench.files.path("complete"))
        await store.close()
        let older = try await bench.open()
        let backup = try await Backup.write(older, to: bench.files.path("b"))
        #expect(Set(backup.entities) == Set(complete.entities) && complete.count == 2)
        await older.close()
        try await bench.restore("b", schemas: schemas, replacing: true)
        let restored = try await bench.open(schemas)
        #expect(try await restored.read(Library.id(1), of: later)?.values == tag.values)
        await restored.close()
        await bench.drop()
    }

    @Test(.timeLimit(.minutes(2))) func `a migration waits for the end of a backup`() async throws {
        let bench = try await PostgresBench("waiting")
        let renamed = try Evolved.renamed()
        let store = try await bench.open(renamed.old)
        var changes = ChangeSet(inserts: renamed.objects)
        changes.keepsVersions = true
        _ = try await store.commit(changes)
        let before = try await store.everything()
        let found = try await store.withSnapshot(nil) { snapshot throws(PersistencyError) in
            Task { await (try bench.open(renamed.new, migration: .all)).close() }
            let connection = try PostgresConnection(store.configuration)
            let isWaiting = "SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(0.02)'"
            while try !connection.run(isWaiting).advance() {}
            var found: [StorageObject] = []
            try snapshot.visit { root throws(PersistencyError) in found.append(root) }
            return found
        }
        #expect(found == before)
        // Opening migrates, or waits for the other migration.
        let migrated = try await bench.open(renamed.new, migration: .all)
        #expect(Evolved.lines(try await migrated.everything()) == renamed.expected)
        await migrated.close()
        await store.close()
        await bench.drop()
    }

    @Test(.enabled(if: RunSize.current == .prove, "it takes minutes: LARDER_RUN_SIZE=prove"))
    func `a restored store keeps the contract`() async throws {
        let fixture = StoreFixture("restored postgres") { schemas, scratch in
            let configuration = try await LarderPostgresTests.Scratch.configuration(scratch)
            let files = try BackupBench()
            _ = try await Backup.write(MemoryStore(schemas), to: files.path("b"))
            try await LarderPostgresTests.Scratch.run("CREATE SCHEMA IF NOT EXISTS \"\(scratch)\"")
            // A store that exists is not restored.
            _ = try? await PostgresStore.restore(files.path("b"), to: configuration, schemas: schemas)
            return try await PostgresStore.open(configuration, schemas: schemas)
        } copy: { scratch, other in
            try await LarderPostgresTests.Scratch.copy(scratch, to: other)
        } discard: { scratch in
            await LarderPostgresTests.Scratch.drop(scratch)
        }
        let verdicts = await StoreContract.judge(fixture) { print($0) }
        for verdict in verdicts { if case .broken = verdict.verdict { Issue.record("\(verdict)") } }
        #expect(verdicts.count { $0.verdict == .kept } >= 120)
    }
}
#endif
