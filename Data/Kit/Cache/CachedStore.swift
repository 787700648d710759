public import LarderDomain

/// A store whose managers remember what they read by id: every ``StoreManager`` over it asks the store only for what no
/// manager has read since it was last written.
///
/// Whoever writes must do so through it. Queries are not remembered, and neither are entities of more than a 64th of all
/// that is.
public final class CachedStore: Store {
    /// The store itself.
    public let base: any Store
    let entities: EntityCache

    /// Puts a memory before a store that nobody else writes.
    ///
    /// - Parameters:
    ///   - bytes: How much is remembered, by the bytes of texts and blobs and 64 for every value and object.
    ///   - onLookup: Hears of each read by ids whether all was remembered; called often, and has to be quick.
    public init(
        _ base: any Store, bytes: Int = 32 << 20, onLookup: @escaping @Sendable (_ isHit: Bool) -> Void = { _ in }
    ) {
        self.base = base
        entities = EntityCache(bytes: bytes, onLookup: onLookup)
    }

    /// A number that is another one after every commit; `nil` while commits run, and when the store is closed.
    ///
    /// Whatever was read at a moment, and at the same moment still, is what would be read now.
    public var moment: UInt64? { entities.quietMoment }

    public var traits: StoreTraits { base.traits }

    public var schemas: SchemaSet { base.schemas }

    public func read(_ id: RawID, of schema: EntitySchema) async throws(PersistencyError) -> StorageObject? {
        try await base.read(id, of: schema)
    }

    public func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        try await base.read(ids, of: schema)
    }

    public func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        try await base.read(request, transform: transform)
    }

    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await base.counts(request)
    }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let keys = changes.writtenKeys
        entities.begin(keys)
        defer { entities.end(keys) }
        return try await base.commit(changes)
    }

    public func changes() async -> AsyncStream<CommittedChanges> { await base.changes() }

    public func measurements() async -> StoreMeasurements? { await base.measurements() }

    public func close() async {
        entities.close()
        await base.close()
    }
}

extension ChangeSet {
    /// The roots that are inserted, updated and deleted.
    fileprivate var writtenKeys: [EntityKey] {
        inserts.map { EntityKey($0.schema, $0.id) } + updates.map(\.key) + deletes.map(\.key)
    }
}
