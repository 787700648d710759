import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Backups of each kind of store, restored into each other kind.
struct BackupTests {
    static let pairs = BackupBench.Kind.allCases.flatMap { from in BackupBench.Kind.allCases.map { (from, $0) } }

    @Test(arguments: pairs)
    func `a restored store has everything, with versions, and continues`(
        from: BackupBench.Kind, to: BackupBench.Kind
    ) async throws {
        let bench = try BackupBench()
        let store = try await bench.open(from)
        try await BackupBench.fill(store)
        let expected = try await store.everything()
        let backup = try await Backup.write(store, to: bench.path("b"))
        await store.close()
        let restored = try await bench.restored(to, "b")
        #expect(try await restored.everything() == expected)
        #expect(expected.contains { $0.version == 4 } && backup.count == expected.count)
        let again = try await Backup.write(restored, to: bench.path("c"))
        #expect(again.entities == backup.entities)
        try await restored.replace(Sample.book(10, "Changed", tags: [1]))
        #expect(try await restored.read(Sample.id(10), of: Sample.book)?.version == 5)
        await #expect(throws: PersistencyError.self) { try await restored.insert(Sample.tag(3, "a")) }
        await restored.close()
    }

    @Test func `a backup without a name leaves no file, also while it is written`() async throws {
        let bench = try BackupBench()
        let store = try await bench.open(.memory)
        for number in 1...1_000 { try await store.insert(Sample.tag(number, "\(number)")) }
        let written = try await Backup.write(store, to: bench.path("b"))
        let found = Mutex([[String]]())
        let folder = String(bench.path("").dropLast())
        let unnamed = try await Backup.writeUnnamed(store, at: bench.path("c")) { _ in
            found.withLock { $0.append((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []) }
        }
        #expect(found.withLock { !$0.isEmpty && $0.allSatisfy { $0 == ["b"] } })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["b"])
        #expect(unnamed.size == written.size)
        try Data(unnamed.read(at: 0, atMost: unnamed.size)).write(to: URL(filePath: bench.path("d")))
        #expect(try await Backup.verify(bench.path("d")).entities == written.entities)
    }

    @Test func `the same content has the same digests in every store`() async throws {
        let bench = try BackupBench()
        var digests: Set<[EntityDigest]> = []
        for kind in BackupBench.Kind.allCases {
            let store = try await bench.open(kind, kind.rawValue)
            try await BackupBench.fill(store)
            digests.insert(try await Backup.write(store, to: bench.path("b-\(kind)")).entities)
            await store.close()
        }
        #expect(digests.count == 1)
    }

    @Test(arguments: BackupBench.Kind.allCases)
    func `a backup of a store that is written to has one of its states`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        let store = try await bench.open(kind)
        for number in 1...300 { try await store.insert(Sample.tag(number, "0-\(number)")) }
        // Each commit changes two roots, so that a mixture of states is detected.
        let writing = Task {
            var round: Int64 = 1
            while !Task.isCancelled {
                let changes = [1, 300].map { number in
                    var changes = ObjectChanges()
                    changes.columns = [ColumnChange(column: 0, value: .text("\(round)-\(number)"))]
                    return RootUpdate(EntityKey(Sample.tag, Sample.id(number)), expected: round, changes: changes)
                }
                _ = try await store.commit(ChangeSet(updates: changes))
                round += 1
                // Commits that never suspend would occupy the cooperative pool, and other tests would wait.
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        var versions: Set<Int64> = []
        for number in 1...10 {
            _ = try await Backup.write(store, to: bench.path("b\(number)"))
            let tags = try await MemoryStore.restored(from: bench.path("b\(number)"), schemas: store.schemas)
                .everything()
            #expect(tags.first?.version == tags.last?.version && tags.count == 300)
            versions.insert(tags[0].version)
        }
        writing.cancel()
        _ = await writing.result
        #expect(versions.count > 1)
        await store.close()
    }

    @Test func `an existing file is replaced only on request, and drafts do not remain`() async throws {
        let (bench, store) = (try BackupBench(), MemoryStore(try Sample.schemas()))
        try bench.write([1, 2, 3], "b")
        let error = await refusal { _ = try await Backup.write(store, to: bench.path("b")) }
        #expect(try #require(error).hasSuffix("b exists already"))
        #expect(try bench.files() == ["b": [1, 2, 3]])
        _ = try await Backup.write(store, to: bench.path("b"), replacing: true)
        #expect(try bench.files().keys.sorted() == ["b"])
        #expect(try await Backup.verify(bench.path("b")).count == 0)
    }

    @Test func `a cancelled backup leaves nothing`() async throws {
        let (bench, store) = (try BackupBench(), MemoryStore(try Sample.schemas()))
        try await BackupBench.fill(store)
        let path = bench.path("b")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await Backup.write(store, to: path)
        }
        await #expect(throws: PersistencyError.self) { try await task.value }
        #expect(try bench.files().isEmpty)
    }

    @Test func `a store of another package is read between two equal tokens`() async throws {
        let bench = try BackupBench()
        let base = MemoryStore(try Sample.schemas())
        try await BackupBench.fill(base)
        let backup = try await Backup.write(PlainStore(base), to: bench.path("b"))
        #expect(backup.entities == (try await Backup.write(base, to: bench.path("c"))).entities)
        let busy = PlainStore(base) { id async throws(PersistencyError) in
            try await base.insert(StorageObject(schema: Sample.tag, id: id, values: [.text("\(id)")]))
        }
        let error = await refusal { _ = try await Backup.write(busy, to: bench.path("d")) }
        #expect(try #require(error).contains("changed during each of 5 attempts"))
        #expect(try bench.files().keys.sorted() == ["b", "c"])
    }
}

/// A store without features, which changes while it is read.
private final class PlainStore: StoreDecorator {
    let base: any Store
    private let change: @Sendable (RawID) async throws(PersistencyError) -> Void

    init(_ base: any Store, change: @escaping @Sendable (RawID) async throws(PersistencyError) -> Void = { _ in }) {
        (self.base, self.change) = (base, change)
    }

    func feature<Feature>(_ type: Feature.Type) -> Feature? { nil }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        if request.schema == Sample.tag, request.after == nil {
            try await change(RawID(high: 1, low: .random(in: 0 ... .max)))
        }
        return try await base.withRows(request, body)
    }
}
