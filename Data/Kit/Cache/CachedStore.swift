public import LarderDomain

/// A store whose managers cache the entities that they read by id: every ``StoreManager`` over it, or over a decorator of
/// it, reads only entities that no manager has read since they were last written.
///
/// All writes must be made through it. Over a store that is not the ``Capability/soleWriter`` it caches nothing. Short pages
/// of aggregates are read as ids and versions, and filled from the cache. Other queries are not cached, and neither are
/// entities of more than a 64th of the cache.
public final class CachedStore: StoreDecorator {
    public let base: any Store
    /// `nil` over a store that others write.
    let entities: EntityCache?

    /// Puts a cache in front of a store.
    ///
    /// - Parameters:
    ///   - bytes: The size of the cache, in bytes of texts and blobs and 64 for every value and object.
    ///   - onLookup: Called for each read by ids with whether the cache had all of them; must be quick.
    public init(
        _ base: any Store, bytes: Int = 32 << 20, onLookup: @escaping @Sendable (_ isHit: Bool) -> Void = { _ in }
    ) {
        self.base = base
        let isSoleWriter = base.traits.capabilities.contains(.soleWriter)
        entities = isSoleWriter ? EntityCache(bytes: bytes, onLookup: onLookup) : nil
    }

    /// A number that differs after every commit; `nil` while commits run, after the store was closed, and over a store
    /// that others write.
    ///
    /// Data that was read at a moment is still current if the moment is the same.
    public var moment: UInt64? { entities?.quietMoment }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        guard let entities else { return try await base.commit(changes) }
        let (keys, schemas) = (changes.writtenKeys, Set(changes.removals.map(\.reference.root.name)))
        entities.begin(keys, schemas)
        defer { entities.end(keys, schemas) }
        return try await base.commit(changes)
    }

    public func close() async {
        entities?.close()
        await base.close()
    }
}

extension ChangeSet {
    /// The roots that are inserted, updated and deleted.
    fileprivate var writtenKeys: [EntityKey] {
        inserts.map { EntityKey($0.schema, $0.id) } + updates.map(\.key) + deletes.map(\.key)
    }
}
