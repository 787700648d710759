public import LarderDomain

extension StoreManager {
    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try checkOutside()
        let object = try mappers.mapper(for: E.self).storageObject(from: entity)
        return Stored(entity, version: try await insert(object).version)
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        let written = try await save(try mappers.mapper(for: E.self).storageObject(from: entity))
        return Saved(written.outcome, Stored(entity, version: written.version))
    }

    @discardableResult
    public func update<E: Entity>(
        _ entity: E, expecting version: Int64?
    ) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        let object = try mappers.mapper(for: E.self).storageObject(from: entity)
        let written = try await update(object, expecting: version)
        return Saved(written.outcome, Stored(entity, version: written.version))
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try checkOutside()
        // In a transaction, because others may refer to it, and what they become belongs to the same commit.
        try await typedTransaction { (manager) async throws(PersistencyError) in
            try await manager.delete(id, expecting: version)
        }
    }
}
