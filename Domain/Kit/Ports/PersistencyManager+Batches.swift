extension PersistencyManager {
    /// Creates the entities one by one in a transaction, so that a manager with policies checks each of them.
    @discardableResult
    public func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>] {
        try await batch(entities) { (manager, entity) async throws(PersistencyError) in
            try await manager.create(entity)
        }
    }

    /// Creates or replaces entities atomically: in one commit [save.5] or, inside a transaction, in one completely
    /// planned step [save.6]. Writes only the values that differ, and nothing if none does [save.7].
    ///
    /// Reads the stored entities with one read by ids [save.8].
    ///
    /// - Returns: The result of ``save(_:)`` for each entity, in the same order [save.9].
    /// - Throws: As ``save(_:)``; `duplicate` for a repeated id [save.10]; `unavailable` (`tooLarge`) for a batch above
    ///   the size limit of a commit [save.11].
    @discardableResult
    public func save<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Saved<E>] {
        try await batch(entities, readsFirst: true) { (manager, entity) async throws(PersistencyError) in
            try await manager.save(entity)
        }
    }

    /// Reads the page in a transaction, so that a manager with policies checks each entity.
    @discardableResult
    public func delete<E: Entity>(matching query: Query<E>) async throws(PersistencyError) -> Int {
        try await deleteEach(matching: query)
    }

    /// The default of ``delete(matching:)``, for managers that have a faster way for some entities.
    package func deleteEach<E: Entity>(matching query: Query<E>) async throws(PersistencyError) -> Int {
        try await ownTransaction(of: E.self) { (manager) async throws(PersistencyError) in
            let found = try await manager.read(query).items
            for item in found { try await manager.delete(item.id, expecting: item.version) }
            return found.count
        }
    }

    private func batch<E: Entity, Result>(
        _ entities: [E], readsFirst: Bool = false,
        _ store: (any PersistencyManager, E) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> [Result] {
        var seen: Set<EntityID<E>> = []
        if let twice = entities.first(where: { !seen.insert($0.id).inserted }) {
            throw .duplicate(Duplicate(entity: E.entityName, columns: ["id"], existing: twice.id.rawValue))
        }
        return try await ownTransaction(of: E.self) { (manager) async throws(PersistencyError) in
            if readsFirst { _ = try await manager.read(entities.map(\.id)) }
            var results: [Result] = []
            for entity in entities { results.append(try await store(manager, entity)) }
            return results
        }
    }

    /// A transaction of this manager, whose body throws only the kit's errors.
    func ownTransaction<E: Entity, Result>(
        of type: E.Type, _ body: (any PersistencyManager) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        // `transaction` alone would join; this read throws for an outer manager that is used inside a transaction.
        _ = try await read([EntityID<E>]())
        do {
            return try await transaction { try await body($0) }
        } catch {
            throw error as? PersistencyError
                ?? .unavailable(Unavailable(.failed, "a transaction ended with \(error)", cause: error))
        }
    }
}
