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
        return noted(
            try await mappers.mapper(for: E.self).mapper.save(entity, expecting: nil, creates: true, through: self))
    }

    @discardableResult @inline(__always)
    public func update<E: Entity>(
        _ entity: E, expecting version: Int64?
    ) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        return noted(
            try await mappers.mapper(for: E.self).mapper.save(
                entity, expecting: version, creates: false, through: self))
    }

    @discardableResult
    public func change<E: Entity>(_ id: EntityID<E>, _ body: (inout E) throws -> Void) async throws -> Saved<E> {
        try await change(id, retry: retry, body)
    }

    @inline(__always) private func noted<E: Entity>(_ saved: Saved<E>) -> Saved<E> {
        if saved.outcome == .unchanged { noteUnchangedSaves(1) }
        return saved
    }

    /// Writes nothing, and publishes no commit, if no entity is to be changed.
    @discardableResult
    public func update<E: Entity>(
        matching query: Query<E>, _ update: BulkUpdate<E>
    ) async throws(PersistencyError) -> Int {
        try checkOutside()
        guard store.traits.capabilities.contains(.bulkUpdates) else {
            throw .unsupportedQuery("an update of \(E.entityName) by query in a store of the kind \(store.traits.kind)")
        }
        let mapping = try mappers.mapper(for: E.self).mapping
        guard let lowered = try BulkChange(update, of: query, mapping, mappers) else { return 0 }
        let condition = try await store.answerable(lowered.condition, of: lowered.schema)
        let change = BulkChange(lowered.schema, where: condition, lowered.assignments)
        var request = ReadRequest(change.schema, where: change.affected, limit: 1)
        request.content = .versions
        if try await roots(request).roots.isEmpty { return 0 }
        return try await store.commit(ChangeSet(bulk: change)).bulkCount
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try checkOutside()
        // In a transaction, because the cascading effects belong to the same commit.
        try await typedTransaction { (manager) async throws(PersistencyError) in
            try await manager.delete(id, expecting: version)
        }
    }

    /// Reads only the ids and versions of entities whose deletion has no other effect: no schema refers to them, they
    /// own no other root, and their changes name no owner.
    @discardableResult
    public func delete<E: Entity>(matching query: Query<E>) async throws(PersistencyError) -> Int {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let schema = mapper.schema
        guard !schema.ownsTargets, schema.ownerColumn == nil, store.schemas.references(to: schema).isEmpty else {
            return try await deleteEach(matching: query)
        }
        var request = try await pageReading(query, mapper).request
        (request.byteLimit, request.content) = (nil, .versions)
        return try await retry.repeating(while: { $0.isLoss(found: { _ in true }) }) {
            [request] (_) async throws(PersistencyError) in
            let found = try await roots(store.answerable(request)).roots
            if !found.isEmpty { _ = try await store.commit(ChangeSet(deletes: found)) }
            return found.count
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
        let found = cache?.entity(EntityKey(schema, id.rawValue), of: E.self).found
        return found?.version == version ? found : nil
    }

    /// Caches an entity as a commit has stored it.
    @usableFromInline func keep<E: Entity>(_ stored: Stored<E>, _ object: StorageObject, committedBy commit: CommitID) {
        cache?.keep(stored, bytes: object.memoryByteCount, of: object.schema, committedBy: commit)
    }
}
