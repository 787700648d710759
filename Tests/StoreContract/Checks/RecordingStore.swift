internal import LarderData
internal import LarderDomain
private import Synchronization

/// Hands everything on to a store, remembers what is committed, and can do something else just before.
final class RecordingStore: Store {
    private struct State {
        var commits: [ChangeSet] = []
        var beforeCommit: (@Sendable (ChangeSet) async throws -> Void)?
    }

    private let base: any Store
    private let state = Mutex(State())

    init(_ base: any Store) {
        self.base = base
    }

    /// The change sets that would have written something, in the order in which they were handed on.
    var commits: [ChangeSet] { state.withLock { $0.commits.filter { !$0.isEmpty } } }

    /// Does something once, before the next commit; the commit fails if that does.
    func beforeNextCommit(_ action: @escaping @Sendable (ChangeSet) async throws -> Void) {
        state.withLock { $0.beforeCommit = action }
    }

    var traits: StoreTraits { base.traits }

    var schemas: SchemaSet { base.schemas }

    func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        try await base.read(ids, of: schema)
    }

    func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        try await base.read(request, transform: transform)
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await base.counts(request)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let action = state.withLock { state in
            state.commits.append(changes)
            defer { state.beforeCommit = nil }
            return state.beforeCommit
        }
        do {
            try await action?(changes)
        } catch let error as PersistencyError {
            throw error
        } catch {
            throw .unavailable(Unavailable(.failed, "\(error)", cause: error))
        }
        return try await base.commit(changes)
    }

    func changes() async -> AsyncStream<CommittedChanges> { await base.changes() }

    func measurements() async -> StoreMeasurements? { await base.measurements() }

    func close() async { await base.close() }
}

extension Trial {
    /// A store that records what is committed, with a manager over it.
    func recording() throws -> (store: RecordingStore, manager: any PersistencyManager) {
        let recording = RecordingStore(store)
        return (recording, try Library.manager(over: recording))
    }
}
