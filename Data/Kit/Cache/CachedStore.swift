public import LarderDomain

/// A store with a cache of entities by id, shared by every ``StoreManager`` over it or over a decorator of it. An
/// entity is read from the store again only after a write or its eviction.
///
/// All writes must be made through it. Over a store that is not the ``Capability/soleWriter`` it caches nothing. Short
/// pages of aggregates are read as ids and versions, and filled from the cache. Other queries are not cached, and
/// neither are entities above a 64th of the capacity.
public final class CachedStore: StoreDecorator {
    public let base: any Store
    /// `nil` over a store with other writers.
    let entities: EntityCache?

    /// Adds a cache to a store.
    ///
    /// - Parameters:
    ///   - base: The store; only one with ``Capability/soleWriter`` is cached.
    ///   - bytes: The capacity: the bytes of texts and blobs, and 64 for each value and object.
    ///   - onLookup: Called for each read by ids; a hit is a read with all ids in the cache. Must return quickly.
    public init(
        _ base: any Store, bytes: Int = 32 << 20, onLookup: @escaping @Sendable (_ isHit: Bool) -> Void = { _ in }
    ) {
        self.base = base
        let isSoleWriter = base.traits.capabilities.contains(.soleWriter)
        entities = isSoleWriter ? EntityCache(bytes: bytes, onLookup: onLookup) : nil
    }

    /// The cache epoch, which differs after every commit; `nil` while commits run, after the store was closed, and over
    /// a store with other writers.
    ///
    /// Data that was read in an epoch is current while the epoch is the same.
    public var epoch: UInt64? { entities?.quietEpoch }

    /// The epoch of lives, which differs after every commit that ends the life of an id; `nil` while such commits run, after
    /// the store was closed, and over a store with other writers.
    ///
    /// In one epoch of lives, entities with the same id and version are equal.
    public var livesEpoch: UInt64? { entities?.livesEpoch }

    /// The former name of ``epoch``.
    @available(*, deprecated, renamed: "epoch")
    public var moment: UInt64? { epoch }

    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer { try base.lendAtOnce(id, of: schema, to: body) }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        guard let entities else { return try await base.commit(changes) }
        let (keys, schemas) = (changes.writtenKeys, changes.staleSchemas)
        let endsLives = !changes.deletes.isEmpty || changes.keepsVersions
        entities.begin(keys, schemas, endsLives: endsLives)
        do {
            let receipt = try await base.commit(changes)
            entities.end(keys, schemas, endsLives: endsLives, storedBy: changes.id)
            return receipt
        } catch {
            entities.end(keys, schemas, endsLives: endsLives)
            throw error
        }
    }

    public func close() async {
        entities?.close()
        await base.close()
    }
}
