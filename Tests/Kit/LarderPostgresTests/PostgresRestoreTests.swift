#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import Testing

/// The targets of restores.
@Suite(.postgres)
struct PostgresRestoreTests {
    /// A backup of a sample named `b`, and a store with other content.
    private func bench(_ name: String) async throws -> (PostgresBench, [EntityDigest]) {
        let bench = try await PostgresBench(name)
        let source = MemoryStore(try Library.schemas())
        try await BackupBench.fill(source, label: "a")
        _ = try await Backup.write(source, to: bench.files.path("b"))
        let store = try await bench.open()
        try await store.insert(Library.tag(99, "old"))
        let content = try await Backup.write(store, to: bench.files.path("old")).entities
        await store.close()
        return (bench, content)
    }

    private func content(_ bench: PostgresBench) async throws -> [EntityDigest] {
        let store = try await bench.open()
        let backup = try await Backup.write(store, to: bench.files.path("content"), replacing: true)
        await store.close()
        return backup.entities
    }

    @Test func `a store is replaced only on request, and then completely`() async throws {
        let (bench, old) = try await bench("replaced")
        let before = try await bench.open()
        let token = try await before.commit(ChangeSet()).token
        await before.close()
        let error = await refusal { try await bench.restore("b") }
        #expect(try #require(error).contains("contains a store"))
        #expect(try await content(bench) == old)
        try await LarderPostgresTests.Scratch.run("CREATE TABLE replaced.other (text text)")
        let restored = try await bench.restore("b", replacing: true)
        #expect(try await content(bench) == restored.entities)
        // A table of another program remains. The new store has another lifetime.
        try await LarderPostgresTests.Scratch.run("INSERT INTO replaced.other VALUES ('a')")
        let store = try await bench.open()
        let consistency = ReadConsistency(including: token)
        let outdated = await failure { () async throws(PersistencyError) in
            _ = try await store.read(ReadRequest(Library.tag, consistency: consistency))
        }
        guard case .unsupportedQuery? = outdated else { Issue.record("\(outdated as Any)"); return }
        await store.close()
        await bench.drop()
    }

    @Test func `a store that is replaced while it is open refuses commits, and its streams end`() async throws {
        let (bench, _) = try await bench("in_use")
        let store = try await bench.open()
        let stream = await store.changes()
        try await bench.restore("b", replacing: true)
        let error = await refusal { try await store.insert(Library.tag(100, "new")) }
        #expect(try #require(error).contains("restore has replaced the store"))
        let empty = await refusal { _ = try await store.commit(ChangeSet()) }
        #expect(try #require(empty).contains("restore has replaced the store"))
        #expect(await stream.reduce(into: 0) { count, _ in count += 1 } == 0)
        await store.close()
        let again = try await bench.open()
        #expect(try await again.read(Library.id(100), of: Library.tag) == nil)
        try await again.insert(Library.tag(100, "new"))
        await again.close()
        await bench.drop()
    }

    @Test func `a backup that is damaged, or that no store has written, leaves the target as it was`() async throws {
        let (bench, old) = try await bench("forged")
        var bytes = try bench.files.bytes("b")
        bytes[bytes.count / 2] ^= 1
        try bench.files.write(bytes, "damaged")
        try bench.forge([Library.tag(1, "a"), Library.tag(2, "a")], "duplicate")
        try bench.forge([Library.book(3, sequels: [4])], "dangling")
        for (backup, expected) in [
            ("damaged", "incompatible"), ("duplicate", "duplicate tag name 1"), ("dangling", "dangling book.sequels 4"),
        ] {
            let error = await failure { () async throws(PersistencyError) in
                do { try await bench.restore(backup, replacing: true) } catch let error as PersistencyError {
                    throw error
                } catch {}
            }
            #expect(error?.summary == expected)
            #expect(try await content(bench) == old)
        }
        // A text that PostgreSQL cannot store.
        try bench.forge([Library.tag(1, "a\u{0}b")], "null")
        let error = await refusal { try await bench.restore("null", replacing: true) }
        #expect(try #require(error).contains("U+0000"))
        #expect(try await content(bench) == old)
        await bench.drop()
    }

    @Test func `tables of another program are neither replaced nor changed`() async throws {
        let bench = try await PostgresBench("foreign_tables")
        try await LarderPostgresTests.Scratch.run("CREATE TABLE foreign_tables.book (text text)")
        try bench.forge([Library.tag(1, "a")], "b")
        for replacing in [false, true] {
            let error = await refusal { try await bench.restore("b", replacing: replacing) }
            #expect(try #require(error).contains("book belongs to another program"))
        }
        try await LarderPostgresTests.Scratch.run("INSERT INTO foreign_tables.book VALUES ('a')")
        await bench.drop()
        let error = await refusal { try await bench.restore("b") }
        #expect(try #require(error).contains("does not exist, or the user has no right to use it"))
    }

    @Test func `older schemas are migrated, newer ones refused`() async throws {
        for (number, evolved) in try Evolved.cases().enumerated() {
            let bench = try await PostgresBench("evolved_\(number)")
            let source = MemoryStore(evolved.old)
            var changes = ChangeSet(inserts: evolved.objects)
            changes.keepsVersions = true
            _ = try await source.commit(changes)
            _ = try await Backup.write(source, to: bench.files.path("b"))
            try await bench.restore("b", schemas: evolved.new)
            let store = try await bench.open(evolved.new, migration: .all)
            #expect(Evolved.lines(try await store.everything()) == evolved.expected, "\(evolved.name)")
            await store.close()
            await bench.drop()
        }
        let (bench, renamed) = (try await PostgresBench("newer"), try Evolved.renamed())
        _ = try await Backup.write(MemoryStore(renamed.new), to: bench.files.path("b"))
        await #expect(throws: PersistencyError.self) { try await bench.restore("b", schemas: renamed.old) }
        let store = try await bench.open()
        await store.close()
        await bench.drop()
    }
}
#endif
