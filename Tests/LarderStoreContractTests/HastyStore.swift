import LarderData
import LarderDomain
import Synchronization

/// A dictionary behind a lock: nothing suspends, unless it is to answer from two snapshots and lets others in between.
///
/// Tasks that call it in a loop keep their threads, so a law must not rely on calls of a store to let others go on.
final class HastyStore: Store {
    let traits = StoreTraits(kind: "hasty", capabilities: [], changeBuffer: 64)
    let schemas: SchemaSet
    private let roots = Mutex<[EntityKey: StorageObject]>([:])
    private let readsTwice: Bool

    init(_ schemas: SchemaSet, readsTwice: Bool) {
        self.schemas = schemas
        self.readsTwice = readsTwice
    }

    func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        let found = all(schema).filter { ids.contains($0.id) }
        guard readsTwice else { return found }
        await Task.yield()
        // What they own is read later than the roots themselves.
        let later = all(schema)
        return found.map { root in
            var root = root
            root.children = later.first { $0.id == root.id }?.children ?? root.children
            return root
        }
    }

    func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        let page = try request.answer(from: all(request.schema), transform: transform)
        guard readsTwice else { return page }
        await Task.yield()
        let total = try request.answer(from: all(request.schema), transform: transform).total
        return ReadResult(items: page.items, next: page.next, total: total)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try roots.withLock { roots throws(PersistencyError) in
            roots = try Judge(roots: roots, schemas: schemas).roots(after: changes)
        }
        return .made
    }

    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome { .unknown }

    func changes(after token: StoreToken?) async -> AsyncStream<StoreChange> { AsyncStream { $0.finish() } }

    func close() async {}

    private func all(_ schema: EntitySchema) -> [StorageObject] {
        roots.withLock { roots in roots.values.filter { $0.schema.name == schema.name } }
    }
}
