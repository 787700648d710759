import LarderData
import LarderDecorators
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Copies of stores that are brought to the state of the store.
struct CatchUpTests {
    @Test(arguments: BackupTests.pairs)
    func `a copy of a store gets each later commit, whatever it changes`(
        from: BackupBench.Kind, to: BackupBench.Kind
    ) async throws {
        let bench = try BackupBench()
        let source = try await bench.open(from)
        let load = BackupOnlineLoad(source)
        try await load.prepare()
        let backup = try await Backup.write(source, to: bench.path("b"))
        let target = try await bench.restored(to, "b")
        var token = backup.token
        for number in 0..<12 {
            try await load.commit(beforeStep: number)
            guard number % 4 == 3 else { continue }
            #expect(try await EntityDigest.all(of: target) != EntityDigest.all(of: source))
            let reached = try await CatchUp(from: source, to: target).run(after: token)
            #expect(try await EntityDigest.all(of: target) == EntityDigest.all(of: source) && reached.count > 20)
            // A repetition, as after a kill, changes nothing.
            #expect(try await CatchUp(from: source, to: target).run(after: token).count == 0)
            token = reached.token
        }
        #expect(try await target.everything() == source.everything())
        #expect(load.commits.contains { !$0.changes.removals.isEmpty })
        try await target.insert(Sample.book(1, "Continued"))
        await target.close()
        await source.close()
    }

    @Test(arguments: BackupTests.pairs)
    func `a copy of a store gets an update by query, whose roots the journal does not name`(
        from: BackupBench.Kind, to: BackupBench.Kind
    ) async throws {
        let bench = try BackupBench()
        let source = try await bench.open(from)
        try await BackupBench.fill(source)
        let backup = try await Backup.write(source, to: bench.path("b"))
        let target = try await bench.restored(to, "b")
        let change = BulkChange(Sample.book, where: .always(true), [ColumnAssignment(column: 1, .set(.integer(1999)))])
        #expect(try await source.commit(ChangeSet(bulk: change)).bulkCount > 1)
        try await source.insert(Sample.tag(999, "later"))
        let reached = try await CatchUp(from: source, to: target).run(after: backup.token)
        #expect(reached.count > 2)
        #expect(try await target.everything() == source.everything())
        await target.close()
        await source.close()
    }

    @Test func `a copy of another store, and one that the journal does not reach, are refused`() async throws {
        let schemas = try Sample.schemas()
        let source = MemoryStore(schemas, journal: JournalBounds(changes: 1))
        let (target, other) = (MemoryStore(schemas), MemoryStore(schemas))
        let token = try await source.insert(Sample.tag(1, "a")).token
        for number in 2...5 { try await source.insert(Sample.tag(number, "\(number)")) }
        let catchUp = CatchUp(from: source, to: target)
        let gap = await refusal { _ = try await catchUp.run(after: token) }
        #expect(gap?.contains("does not retain all changes") == true)
        let foreign = try await other.insert(Sample.tag(1, "a")).token
        let mismatch = await refusal { _ = try await catchUp.run(after: foreign) }
        #expect(mismatch?.contains("the copy is of another store") == true)
        #expect(try await target.everything().isEmpty)
    }

    @Test(arguments: BackupBench.Kind.allCases)
    func `digests of a store are those of its backup`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        let store = try await bench.open(kind)
        try await BackupBench.fill(store)
        let backup = try await Backup.write(store, to: bench.path("b"))
        #expect(try await EntityDigest.all(of: store) == backup.entities && backup.count > 30)
        #expect(try await EntityDigest.all(of: Featureless(store)) == backup.entities)
        try await store.replace(Sample.book(10, "Changed", tags: [1]))
        let changed = try await EntityDigest.all(of: store)
        #expect(zip(changed, backup.entities).filter { $0 != $1 }.map(\.0.entity) == ["book"])
        await store.close()
    }
}

/// A store that offers no snapshot.
private final class Featureless: StoreDecorator {
    let base: any Store

    init(_ base: any Store) { self.base = base }

    func feature<Feature>(_ type: Feature.Type) -> Feature? { nil }
}
