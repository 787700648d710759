import LarderData
import LarderDomain

/// The smallest store: a dictionary in an actor. It shows how little a new backend has to implement to keep every law
/// that requires no other capability.
actor DictionaryStore: Store {
    nonisolated let traits = StoreTraits(
        kind: "dictionary", capabilities: [.soleWriter, .boundedPages], changeBuffer: 64)
    nonisolated let schemas: SchemaSet
    private var state: ObjectState<[EntityKey: StorageObject]>
    private var isClosed = false
    private nonisolated let hub: ChangeHub
    private nonisolated let outcomes = CommitOutcomes()
    private nonisolated let openedAt = Timestamp.now()
    /// Kept by a store that uses this one, and keeps its roots.
    private nonisolated let journal: RetainedCommits?

    init(
        _ schemas: SchemaSet, roots: [EntityKey: StorageObject] = [:], hub: ChangeHub = ChangeHub(buffer: 64),
        journal: RetainedCommits? = nil
    ) {
        (self.schemas, self.hub, self.journal) = (schemas, hub, journal)
        var state = ObjectState(
            schemas: schemas, table: [EntityKey: StorageObject](), sequence: hub.position)
        for root in roots.values { try? state.restore(root) }
        self.state = state
    }

    var roots: [EntityKey: StorageObject] { state.table }

    func withRows(_ ids: [RawID], of schema: EntitySchema, _ body: RowBody) throws(PersistencyError) {
        try check(schema)
        try Rows.lend(Set(ids).compactMap { roots[EntityKey(schema, $0)] }, to: body)
    }

    func withRows(_ request: ReadRequest, _ body: RowBody) throws(PersistencyError) -> PageEnd {
        try check(request.schema)
        try hub.check(request.consistency)
        let all = roots.values.filter { $0.schema.name == request.schema.name }
        try request.checkRanked(all.count { request.condition.holds(for: $0) })
        return try request.answer(from: all).lend(to: body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () throws(PersistencyError) in try store(changes) }
    }

    private func store(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt {
        try checkOpen()
        if Task.isCancelled { throw .cancelled }
        try state.commit(changes)
        let token = hub.token(at: state.sequence)
        if !changes.isEmpty {
            journal?.append(CommittedChanges(token: token, of: changes), at: .now())
            hub.publish(changes, at: token)
        }
        return CommitReceipt(token: token)
    }

    nonisolated func outcome(of id: CommitID) -> CommitOutcome {
        let outcome = outcomes.outcome(of: id)
        return outcome == .unknown ? journal?.outcome(of: id, before: openedAt) ?? outcome : outcome
    }

    nonisolated func changes(after token: ChangeToken?) -> AsyncStream<ChangeEvent> {
        hub.subscribe(after: token, journal: journal?.reader)
    }

    func close() {
        isClosed = true
        hub.close()
    }

    private func check(_ schema: EntitySchema) throws(PersistencyError) {
        try checkOpen()
        guard schemas.roots.contains(where: { $0.name == schema.name }) else { throw .unknownEntity(schema.name) }
    }

    private func checkOpen() throws(PersistencyError) {
        if isClosed { throw .unavailable(Unavailable(.closed, "the store was closed")) }
    }
}
