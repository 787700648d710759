public import LarderDomain

extension StoreManager {
    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try checkOutside()
        let (object, kept) = try mappers.mapper(for: E.self).mapper.encoded(entity)
        return Stored(kept, version: try await insert(object).version)
    }

    /// One change set, made without a unit of work.
    @discardableResult
    public func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>] {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        try entities.requireDistinctIDs()
        var (objects, stored) = ([StorageObject](), [Stored<E>]())
        objects.reserveCapacity(entities.count)
        stored.reserveCapacity(entities.count)
        for (index, entity) in entities.enumerated() {
            if index % 256 == 255 { await Task.yield() }
            let (object, kept) = try mapper.mapper.encoded(entity)
            objects.append(object)
            stored.append(Stored(kept, version: 1))
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return stored
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        return try await mappers.mapper(for: E.self).mapper.save(entity, expecting: nil, creates: true, through: self)
    }

    @discardableResult
    public func update<E: Entity>(
        _ entity: E, expecting version: Int64?
    ) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        return try await mappers.mapper(for: E.self).mapper.save(
            entity, expecting: version, creates: false, through: self)
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try checkOutside()
        // In a transaction, because others may refer to it, and what they become belongs to the same commit.
        try await typedTransaction { (manager) async throws(PersistencyError) in
            try await manager.delete(id, expecting: version)
        }
    }
}
