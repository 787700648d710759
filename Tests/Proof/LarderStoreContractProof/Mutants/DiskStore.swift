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
}

/// The dictionary store with a disk (also a dictionary) and a defect in its use.
final class DiskStore: Store {
    /// The written data, by scratch name.
    static let disks = Mutex<[String: [EntityKey: StorageObject]]>([:])

    private let base: DictionaryStore
    private let scratch: String
    private let mutation: DiskMutation
    private let commits = Kept(0)
    let traits: StoreTraits
    var schemas: SchemaSet { base.schemas }

    init(_ schemas: SchemaSet, scratch: String, _ mutation: DiskMutation) {
        self.scratch = scratch
        self.mutation = mutation
        let kept = Self.disks.withLock { $0[scratch] ?? [:] }
        // Columns that the schemas do not declare are lost.
        base = DictionaryStore(
            schemas, roots: kept.mapValues { mutation.load($0.translated(to: schemas[$0.schema.name] ?? $0.schema)) })
        traits = StoreTraits(kind: "disk", capabilities: [.durable], changeBuffer: base.traits.changeBuffer)
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
            Self.disks.withLock { $0[scratch] = roots }
        }
        await base.close()
    }

    private func write(_ changes: ChangeSet) async {
        let roots = await base.roots
        if mutation.catchesUp {
            Self.disks.withLock { $0[scratch] = roots }
            return
        }
        put((changes.inserts.map { EntityKey($0.schema, $0.id) } + changes.updates.map(\.key)).compactMap { roots[$0] })
        Self.disks.withLock { disks in
            for delete in changes.deletes { disks[scratch]?[delete.key] = nil }
        }
    }

    private func put(_ objects: [StorageObject]) {
        Self.disks.withLock { disks in
            for object in objects {
                var object = object
                object.version = max(object.version, 1)
                disks[scratch, default: [:]][EntityKey(object.schema, object.id)] = object
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
