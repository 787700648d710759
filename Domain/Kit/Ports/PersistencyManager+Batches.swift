extension PersistencyManager {
    /// Creates the entities one by one in a transaction, so a manager that judges entities judges each of them.
    @discardableResult
    public func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>] {
        try await batch(of: entities) { (manager) async throws(PersistencyError) in
            var created: [Stored<E>] = []
            for entity in entities { created.append(try await manager.create(entity)) }
            return created
        }
    }

    /// Creates or replaces entities: in one commit, or, inside a transaction, in one step that is planned as a whole or
    /// not at all. Writes only the values that differ, and nothing if none does.
    ///
    /// Reads the stored entities with one read of many ids.
    ///
    /// - Returns: What ``save(_:)`` returns for each entity, in their order.
    /// - Throws: As ``save(_:)``; `duplicate` for an id that occurs twice; `unavailable` (`tooLarge`) for more than a
    ///   commit may contain.
    @discardableResult
    public func save<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Saved<E>] {
        let saved = try await batch(of: entities) { (manager) async throws(PersistencyError) in
            _ = try await manager.read(entities.map(\.id))
            var saved: [Saved<E>] = []
            for entity in entities { saved.append(try await manager.save(entity)) }
            return saved
        }
        if isInTransaction { return saved }
        // The commit has raised these versions since.
        return saved.map { saved in
            guard saved.outcome == .updated else { return saved }
            return Saved(.updated, Stored(saved.stored.entity, version: saved.stored.version + 1))
        }
    }

    private func batch<E: Entity, Result>(
        of entities: [E], _ body: (any PersistencyManager) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        try entities.requireDistinctIDs()
        // An outer manager must not be used inside a transaction; `transaction` alone would join.
        _ = try await read([EntityID<E>]())
        do {
            return try await transaction(body)
        } catch let error as PersistencyError {
            throw error
        } catch {
            throw .unavailable(Unavailable(.failed, "a transaction ended with \(error)", cause: error))
        }
    }
}

extension Array where Element: Entity {
    /// - Throws: `duplicate`, with the first id that occurs twice.
    package func requireDistinctIDs() throws(PersistencyError) {
        var seen: Set<EntityID<Element>> = []
        guard let twice = first(where: { !seen.insert($0.id).inserted }) else { return }
        throw .duplicate(Duplicate(entity: Element.entityName, columns: ["id"], existing: twice.id.rawValue))
    }
}
