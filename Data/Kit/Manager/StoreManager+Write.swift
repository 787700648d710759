public import LarderDomain

extension StoreManager {
    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try checkOutside()
        let (object, kept) = try mappers.mapper(for: E.self).mapper.encoded(entity)
        return Stored(kept, version: try await insert(object).version)
    }

    @discardableResult
    public func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>] {
        try checkOutside()
        return try await mappers.mapper(for: E.self).mapper.create(entities, in: store)
    }

    @discardableResult @inline(__always)
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        return try await mappers.mapper(for: E.self).mapper.save(entity, expecting: nil, creates: true, through: self)
    }

    @discardableResult @inline(__always)
    public func update<E: Entity>(
        _ entity: E, expecting version: Int64?
    ) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        return try await mappers.mapper(for: E.self).mapper.save(
            entity, expecting: version, creates: false, through: self)
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try checkOutside()
        // In a transaction, because the cascading effects belong to the same commit.
        try await typedTransaction { (manager) async throws(PersistencyError) in
            try await manager.delete(id, expecting: version)
        }
    }
}
