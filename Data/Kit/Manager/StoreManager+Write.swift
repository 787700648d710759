public import LarderDomain

extension StoreManager {
    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try checkOutside()
        let (object, kept) = try mappers.mapper(for: E.self).encoded(entity)
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
            let (object, kept) = try mapper.encoded(entity)
            objects.append(object)
            stored.append(Stored(kept, version: 1))
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return stored
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let stored = try await mapper.mapper.compare(entity, in: store)
        if case .same(let version) = stored { return Saved(.unchanged, Stored(entity, version: version)) }
        let (object, kept) = try mapper.encoded(entity)
        let written = try await save(object, over: stored)
        return Saved(written.outcome, Stored(kept, version: written.version))
    }

    @discardableResult
    public func update<E: Entity>(
        _ entity: E, expecting version: Int64?
    ) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let stored = try await mapper.mapper.compare(entity, in: store)
        if case .same(let found) = stored, version == nil || version == found {
            return Saved(.unchanged, Stored(entity, version: found))
        }
        let (object, kept) = try mapper.encoded(entity)
        let written = try await update(object, over: stored, expecting: version)
        return Saved(written.outcome, Stored(kept, version: written.version))
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try checkOutside()
        // In a transaction, because others may refer to it, and what they become belongs to the same commit.
        try await typedTransaction { (manager) async throws(PersistencyError) in
            try await manager.delete(id, expecting: version)
        }
    }
}

extension MapperBox {
    /// An entity in neutral form, and as a read will give it. It is mapped back before anything is stored, so that what
    /// could never be read is refused.
    func encoded(_ entity: E) throws(PersistencyError) -> (object: StorageObject, kept: E) {
        let object = try mapper.storageObject(from: entity)
        return (object, try mapper.stored(from: object).entity)
    }
}
