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

// The cache, for the typed half of writing.
extension StoreManager {
    /// The cached entity, if it is cached at a version. A change is then computed without a read; the commit judges the
    /// version.
    @usableFromInline func cached<E: Entity>(
        _ id: EntityID<E>, at version: Int64, of schema: EntitySchema
    ) -> Stored<E>? {
        let found = cache?.entities([EntityKey(schema, id.rawValue)], of: E.self).found.first ?? nil
        guard let stored = found, stored.version == version else { return nil }
        return stored
    }

    /// Caches an entity as a commit has stored it.
    @usableFromInline func keep<E: Entity>(_ stored: Stored<E>, _ object: StorageObject, committedBy commit: CommitID) {
        cache?.keep(stored, bytes: object.memoryByteCount, of: object.schema, committedBy: commit)
    }
}
