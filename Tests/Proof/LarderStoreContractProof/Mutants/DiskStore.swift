import LarderData
import LarderDomain
import LarderStoreContract
import Synchronization
@testable import LarderStoreContractTests

/// A defect in a store's use of its disk.
struct DiskMutation: Sendable {
    /// Whether a change set is written at its commit.
    var writesAtOnce: @Sendable (ChangeSet) -> Bool = { _ in true }
    /// Whether the commit with the given number, counted from 1 since opening, is written immediately.
    var writesNumber: @Sendable (Int) -> Bool = { _ in true }
    /// Whether deferred writes are made before closing, at the next commit that is written.
    var catchesUp = true
    /// Whether closing makes the deferred writes.
    var writesOnClose = false
    /// Whether the roots of a refused change set are written.
    var writesRefused = false
    /// Changes the outcome of a commit.
    var outcome: @Sendable (CommitOutcome) -> CommitOutcome = { $0 }
    /// Changes the data read at opening.
    var load: @Sendable (StorageObject) -> StorageObject = { $0 }
    /// Whether the store has a journal.
    var hasJournal = false
    /// Changes the journal read at opening; the position of the last commit is kept.
    var journal: @Sendable (CommittedChanges) -> CommittedChanges? = { $0 }
    /// Changes the position of the last commit, read at opening.
    var position: @Sendable (Int64) -> Int64 = { $0 }
}

/// The data of a store that outlives it.
struct Disk: Sendable {
    var roots: [EntityKey: StorageObject] = [:]
    let lifetime = UInt64.random(in: 1 ... .max)
    let start = Timestamp.now()
    var commits: [RetainedCommits.Entry] = []
}

/// The dictionary store with a disk (also a dictionary) and a defect in its use.
final class DiskStore: Store {
    /// The written data, by scratch name.
    static let disks = Mutex<[String: Disk]>([:])

    private let base: DictionaryStore
    private let scratch: String
    private let mutation: DiskMutation
    private let journal: RetainedCommits?
    private let commits = Kept(0)
    let traits: StoreTraits
    var schemas: SchemaSet { base.schemas }

    init(_ schemas: SchemaSet, scratch: String, _ mutation: DiskMutation) {
        self.scratch = scratch
        self.mutation = mutation
        let disk = Self.disks.withLock { disks in
            let disk = disks[scratch] ?? Disk()
            disks[scratch] = disk
            return disk
        }
        var hub = ChangeHub(buffer: 64)
        if mutation.hasJournal {
            let journal = RetainedCommits(JournalBounds(), since: disk.start)
            for entry in disk.commits {
                if let commit = mutation.journal(entry.commit) { journal.append(commit, at: entry.time) }
            }
            self.journal = journal
            let position = mutation.position(disk.commits.last?.commit.token.position ?? 0)
            hub = ChangeHub(buffer: 64, lifetime: disk.lifetime, position: position)
        } else {
            journal = nil
        }
        // Columns that the schemas do not declare are lost.
        base = DictionaryStore(
            schemas,
            roots: disk.roots.mapValues { mutation.load($0.translated(to: schemas[$0.schema.name] ?? $0.schema)) },
            hub: hub, journal: journal)
        traits = StoreTraits(
            kind: "disk", capabilities: mutation.hasJournal ? [.durable, .journal] : [.durable],
            changeBuffer: base.traits.changeBuffer)
    }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await base.withRows(ids, of: schema, body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        try await base.withRows(request, body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        do throws(PersistencyError) {
            let receipt = try await base.commit(changes)
            let number = commits.change { $0 + 1 }
            if mutation.writesAtOnce(changes), mutation.writesNumber(number) { await write(changes) }
            return receipt
        } catch {
            if mutation.writesRefused { put(changes.inserts) }
            throw error
        }
    }

    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        mutation.outcome(base.outcome(of: id))
    }

    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> { base.changes(after: token) }

    func close() async {
        if mutation.writesOnClose {
            let roots = await base.roots
            Self.disks.withLock { $0[scratch]?.roots = roots }
        }
        await base.close()
    }

    private func write(_ changes: ChangeSet) async {
        let roots = await base.roots
        if mutation.catchesUp {
            Self.disks.withLock { disks in
                disks[scratch]?.roots = roots
                if let journal { disks[scratch]?.commits = journal.content.entries }
            }
            return
        }
        put((changes.inserts.map { EntityKey($0.schema, $0.id) } + changes.updates.map(\.key)).compactMap { roots[$0] })
        Self.disks.withLock { disks in
            for delete in changes.deletes { disks[scratch]?.roots[delete.key] = nil }
        }
    }

    private func put(_ objects: [StorageObject]) {
        Self.disks.withLock { disks in
            for object in objects {
                var object = object
                object.version = max(object.version, 1)
                disks[scratch]?.roots[EntityKey(object.schema, object.id)] = object
            }
        }
    }
}

extension StoreFixture {
    /// Stores with a disk and a defect in its use.
    static func disk(_ name: String, _ mutation: DiskMutation) -> StoreFixture {
        StoreFixture(name) { schemas, scratch in
            DiskStore(schemas, scratch: scratch, mutation)
        } copy: { scratch, other in
            DiskStore.disks.withLock { $0[other] = $0[scratch] }
        } discard: { scratch in
            DiskStore.disks.withLock { $0[scratch] = nil }
        }
    }
}
