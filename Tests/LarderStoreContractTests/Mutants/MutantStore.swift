import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

/// A store in memory with one mutation.
final class MutantStore: Store {
    private let base: MemoryStore
    private let mutation: Mutation
    let traits: StoreTraits

    init(_ schemas: SchemaSet, _ mutation: Mutation) {
        base = MemoryStore(schemas)
        self.mutation = mutation
        traits = StoreTraits(
            kind: "mutant", capabilities: base.traits.capabilities.union(mutation.pretends),
            changeBuffer: base.traits.changeBuffer)
    }

    var schemas: SchemaSet { base.schemas }

    func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        try base.read(ids, of: schema).map { mutation.object($0.of(schema)) }
    }

    func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        let result = mutation.result(request, try await base.read(mutation.request(request)))
        var items: [Item] = []
        for object in result.items { items.append(try transform(mutation.object(object.of(request.schema)))) }
        return ReadResult(items: items, next: result.next, total: result.total)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await mutation.commit(changes, base)
    }

    func changes() async -> AsyncStream<CommittedChanges> { mutation.changes(base.changes()) }

    func measurements() async -> StoreMeasurements? { await base.measurements() }

    func close() async { if mutation.closes { base.close() } }
}

extension StorageObject {
    /// The object with the schema that it should have, whichever a mutation stored it with.
    fileprivate func of(_ schema: EntitySchema) -> StorageObject {
        StorageObject(schema: schema, id: id, version: version, values: values, children: children, links: links)
    }
}

extension StoreFixture {
    /// Stores with a mutation.
    static func mutant(_ mutation: Mutation) -> StoreFixture {
        StoreFixture(mutation.name) { schemas, _ in MutantStore(schemas, mutation) }
    }
}
