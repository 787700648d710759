import LarderData
import LarderDomain
import LarderStoreContract
import Synchronization
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Backups of stores that several tasks write to.
struct BackupLoadProofTests {
    @Test(arguments: BackupBench.Kind.allCases)
    func `a backup under load has the state at its token, and is restored into each kind`(
        kind: BackupBench.Kind
    ) async throws {
        let began = ContinuousClock.now
        let bench = try BackupBench()
        let store = try await bench.open(kind)
        let load = BackupLoad(store)
        try await load.prepare()
        let writers = (1...3).map { number in Task { try await load.write(as: number) } }
        let count = RunSize.current.of(quick: 3, ci: 10, prove: 100)
        var backups: [(name: String, backup: Backup)] = []
        for number in 0..<count {
            backups.append(("b\(number)", try await Backup.write(store, to: bench.path("b\(number)"))))
            let before = load.commits.count
            while load.commits.count == before { try await Task.sleep(for: .milliseconds(1)) }
        }
        for writer in writers { writer.cancel() }
        for writer in writers { _ = await writer.result }
        await store.close()
        let commits = load.commits
        let replayed = MemoryStore(store.schemas)
        var next = 0
        for (name, backup) in backups {
            while next < commits.count, commits[next].token.position <= backup.token.position {
                _ = try await replayed.commit(commits[next].changes)
                next += 1
            }
            let state = try await Backup.write(replayed, to: bench.path("expected"), replacing: true)
            #expect(state.entities == backup.entities, "\(kind) \(name)")
        }
        #expect(Set(backups.map(\.backup.entities)).count > 1)
        for target in BackupBench.Kind.allCases {
            guard let last = backups.last else { break }
            let restored = try await bench.restored(target, last.name, "to-\(target)")
            let again = try await Backup.write(restored, to: bench.path("again"), replacing: true)
            #expect(again.entities == last.backup.entities)
            await restored.close()
        }
        print(
            RunReport(
                "backups under load, \(kind)", figure: "\(count) backups during \(commits.count) commits", seed: nil,
                duration: ContinuousClock.now - began))
    }

    @Test(arguments: RunSize.current == .prove ? BackupBench.Kind.allCases : [.sqlite])
    func `a restored store keeps the contract`(kind: BackupBench.Kind) async throws {
        let bench = try BackupBench()
        let fixture = StoreFixture("restored \(kind)") { [bench] schemas, scratch in
            if !bench.exists(scratch) {
                let backup = scratch + ".backup"
                _ = try await Backup.write(MemoryStore(schemas), to: bench.path(backup), replacing: true)
                return try await bench.restored(kind, backup, scratch, schemas: schemas)
            }
            return try await bench.open(kind, scratch, schemas: schemas)
        } copy: { [bench] scratch, other in
            try bench.copy(scratch, to: other)
        }
        // The random runs take minutes, and depend little on how the store began.
        let laws = StoreContract.laws.filter { RunSize.current == .prove || $0.group != .runs }
        for verdict in await StoreContract.judge(fixture, laws: laws, patience: .seconds(600)) {
            if case .broken = verdict.verdict { Issue.record("\(kind): \(verdict)") }
        }
    }
}

/// Tasks that write to one store, and the change sets that it has committed.
private final class BackupLoad: Sendable {
    private let store: any Store
    private let done = Mutex<[(token: ChangeToken, changes: ChangeSet)]>([])

    init(_ store: any Store) { self.store = store }

    /// The commits in order.
    var commits: [(token: ChangeToken, changes: ChangeSet)] {
        done.withLock { $0.sorted { $0.token.position < $1.token.position } }
    }

    func prepare() async throws {
        for number in 1...3 { try await commit(ChangeSet(inserts: [Sample.tag(number, "\(number)")])) }
        for number in 100..<400 { try await commit(ChangeSet(inserts: [Sample.book(number, tags: [1, 2, 3])])) }
    }

    func write(as writer: Int) async throws {
        var round = 0
        while !Task.isCancelled {
            round += 1
            // Commits that never suspend would occupy the cooperative pool.
            await Task.yield()
            do {
                try await step(round, writer)
            } catch PersistencyError.conflict {
                continue
            }
        }
    }

    private func step(_ round: Int, _ writer: Int) async throws {
        let number = 100 + (round * 7 + writer * 100) % 300
        let new = 1000 * writer + round % 500
        guard let old = try await store.read(Sample.id(number), of: Sample.book) else {
            return try await commit(ChangeSet(inserts: [Sample.book(number, tags: [2])]))
        }
        switch round % 5 {
        case 0:
            guard let tag = try await store.read(Sample.id(1), of: Sample.tag) else {
                return try await commit(ChangeSet(inserts: [Sample.tag(1, "1")]))
            }
            // All books of the tag rise by a version.
            let removals = references(to: "tag", 1)
            try await commit(ChangeSet(deletes: [tag.expecting(tag.version)], removals: removals))
        case 1:
            try await commit(ChangeSet(deletes: [old.expecting(old.version)], removals: references(to: "book", number)))
        case 2:
            let page = Sample.page(100_000 * writer + round, "p", tags: [2])
            let changed = Sample.book(number, "Round \(round)", pages: [page], tags: [2], sequels: [number])
            try await commit(ChangeSet(updates: [changed.update(from: old)]))
        default:
            guard try await store.read(Sample.id(new), of: Sample.book) == nil else { return }
            try await commit(
                ChangeSet(inserts: [Sample.book(new, "New", sequels: [number])], reads: [old.expecting(old.version)]))
        }
    }

    private func references(to entity: String, _ number: Int) -> [ReferenceRemoval] {
        Sample.book.references.filter { $0.target == entity }.map { ReferenceRemoval(of: Sample.id(number), from: $0) }
    }

    private func commit(_ changes: ChangeSet) async throws {
        let token = try await store.commit(changes).token
        done.withLock { $0.append((token, changes)) }
    }
}
