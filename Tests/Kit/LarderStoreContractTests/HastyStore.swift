import LarderData
import LarderDomain
import Synchronization

/// A dictionary behind a lock. No call suspends, except to answer from two snapshots with other calls in between.
///
/// Tasks that call it in a loop occupy their threads, so a law must not rely on the store's calls to let others run.
final class HastyStore: Store {
    let traits = StoreTraits(kind: "hasty", capabilities: [], changeBuffer: 64)
    let schemas: SchemaSet
    private let state: Mutex<ObjectState<[EntityKey: StorageObject]>>
    private let readsTwice: Bool

    init(_ schemas: SchemaSet, readsTwice: Bool) {
        self.schemas = schemas
        self.readsTwice = readsTwice
        state = Mutex(ObjectState(schemas: schemas, table: [:]))
    }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let found = all(schema).filter { ids.contains($0.id) }
        guard readsTwice else { return try Rows.lend(found, to: body) }
        await Task.yield()
        // Owned objects are read later than their roots.
        let later = all(schema)
        let torn = found.map { root in
            var root = root
            root.children = later.first { $0.id == root.id }?.children ?? root.children
            return root
        }
        try Rows.lend(torn, to: body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let page = request.answer(from: all(request.schema))
        guard readsTwice else { return try page.lend(to: body) }
        await Task.yield()
        let total = request.answer(from: all(request.schema)).total
        return try ReadResult(items: page.items, next: page.next, total: total).lend(to: body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try state.withLock { state throws(PersistencyError) in try state.commit(changes) }
        return .made
    }

    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome { .unknown }

    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> { AsyncStream { $0.finish() } }

    func close() async {}

    private func all(_ schema: EntitySchema) -> [StorageObject] {
        state.withLock { state in state.table.values.filter { $0.schema.name == schema.name } }
    }
}

extension CommitReceipt {
    /// The receipt of a commit that was not made.
    static let made = CommitReceipt(token: ChangeToken(lifetime: 0, position: 1))
}
