import LarderData
import LarderDomain
import LarderInfrastructure

/// A store in memory that stays open when a command closes it.
final class KeptStore: Store {
    private let base: MemoryStore

    init(_ schemas: SchemaSet) {
        base = MemoryStore(schemas)
    }

    var traits: StoreTraits { base.traits }
    var schemas: SchemaSet { base.schemas }

    func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        try base.read(ids, of: schema)
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
        try await base.commit(changes)
    }

    func changes() async -> AsyncStream<CommittedChanges> { base.changes() }

    func close() async {}
}
