#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Synchronization
import Testing

/// How migrations wait for others, and others for them.
@Suite(.postgres)
struct PostgresMigrationLockTests {
    private static func note(_ columns: [Column] = [], indexes: [[Int]] = [[1]]) -> EntitySchema {
        EntitySchema(name: "note", columns: Sample.note.columns + columns, uniques: [[0]], indexes: indexes)
    }

    @Test(.timeLimit(.minutes(1))) func `a migration that waits for a table lets others read and write`() async throws {
        let name = "queue"
        await Scratch.drop(name)
        let store = try await Scratch.open(SchemaSet([Sample.note]), name)
        let reader = try await Scratch.connection(name)
        try await reader.run("BEGIN", "SELECT FROM note")
        let waits = Mutex(0)
        var configuration = try await Scratch.configuration(name)
        configuration.migration = MigrationOptions { progress in
            if progress.work.hasPrefix("wait for a table") { waits.withLock { $0 += 1 } }
        }
        let column = Column(name: "extra", type: .text, isNullable: true)
        let migration = Task { [configuration] in
            try await PostgresStore.open(configuration, schemas: SchemaSet([Self.note([column])]))
        }
        var slowest = Duration.zero
        while waits.withLock({ $0 }) < 2 {
            let began = ContinuousClock.now
            _ = try await store.commit(ChangeSet(inserts: [Sample.note("\(began)")]))
            slowest = max(slowest, began.duration(to: .now))
        }
        #expect(slowest < .seconds(2))
        try await reader.run("COMMIT")
        await (try migration.value).close()
        await store.close()
        await Scratch.drop(name)
    }

    @Test(.timeLimit(.minutes(1))) func `indexes are built while others write, and again after an interruption`()
        async throws
    {
        let name = "builds"
        await Scratch.drop(name)
        let store = try await Scratch.open(SchemaSet([Sample.note]), name)
        let schemas = try SchemaSet([Self.note(indexes: [[1], [0, 1]])])
        var configuration = try await Scratch.configuration(name)
        let status = try await PostgresStore.schemaStatus(configuration, schemas: schemas)
        #expect(
            status.locks == ["note: none for its index note_index_text_rank, which is built while others write"])
        let works = Mutex<[String]>([])
        configuration.migration = MigrationOptions { progress in works.withLock { $0.append(progress.work) } }
        await (try PostgresStore.open(configuration, schemas: schemas)).close()
        #expect(works.withLock { $0.count { $0.hasPrefix("CREATE INDEX CONCURRENTLY") } } == 1)
        let connection = try await Scratch.connection(name)
        let isValid =
            "SELECT FROM pg_index WHERE indexrelid = 'note_index_text_rank'::regclass AND indisvalid"
        #expect(try await connection.count(isValid) == 1)
        try await connection.run(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'note_index_text_rank'::regclass")
        await (try PostgresStore.open(configuration, schemas: schemas)).close()
        #expect(try await connection.count(isValid) == 1)
        // A session that opens the store uses the usual limits again.
        await store.close()
        await Scratch.drop(name)
    }

    @Test func `a plan names the locks of its tables`() async throws {
        let name = "plans"
        await Scratch.drop(name)
        await (try Scratch.open(SchemaSet([Sample.note, Sample.tag]), name)).close()
        let links = LinkRelationship(name: "tags", target: "tag", onDelete: .remove)
        let linked = EntitySchema(
            name: "note", columns: Sample.note.columns, links: [links], uniques: [[0]], indexes: [[1]])
        let configuration = try await Scratch.configuration(name)
        let status = try await PostgresStore.schemaStatus(configuration, schemas: SchemaSet([linked, Sample.tag]))
        #expect(
            status.locks == [
                "note: SHARE ROW EXCLUSIVE: writes wait", "tag: SHARE ROW EXCLUSIVE: writes wait",
            ])
        let dropped = try SchemaSet([Sample.note], evolution: SchemaEvolution(version: 2, dropped: ["tag"]))
        let removal = try await PostgresStore.schemaStatus(configuration, schemas: dropped)
        #expect(removal.locks == ["tag: ACCESS EXCLUSIVE: reads and writes wait"])
        await Scratch.drop(name)
    }
}
#endif
