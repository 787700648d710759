extension PersistencyManager {
    /// For each entity, the stored one with equal values of unique properties: the given entity with the id of the stored one,
    /// and the stored version; `nil` without one.
    ///
    /// This default throws `unsupportedQuery`, for managers that know no unique properties.
    public func twins<E: Entity>(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Stored<E>?] {
        throw .unsupportedQuery("a save of \(E.entityName) by unique properties")
    }

    /// Creates an entity or, if another one has the same values of a unique property or group, replaces that one: it keeps
    /// its id, with the other values of the given entity [key.1]. Writes only values that differ [key.2].
    ///
    /// ```swift
    /// let saved = try await members.save(member, by: \.email)
    /// ```
    ///
    /// Concurrent calls with equal values create one entity [key.3]; the last one wins. An entity without a value is
    /// created, because any number may have none [key.4].
    ///
    /// - Parameter keys: A unique property, the folded form of one, or all properties of a unique group.
    /// - Returns: The stored entity, and whether it was created [key.5].
    /// - Throws: `unsupportedQuery` for properties that are not unique [key.6]; errors of a creation and an update. In a
    ///   transaction, `duplicate` at its end after a concurrent creation.
    @discardableResult
    public func save<E: Entity>(
        _ entity: E, by keys: any PartialKeyPath<E> & Sendable...
    ) async throws(PersistencyError) -> Saved<E> {
        try await save(contentsOf: [entity], by: keys)[0]
    }

    /// As ``save(_:by:)`` for each entity, atomically, and with one read of the stored ones [key.7].
    ///
    /// - Throws: `duplicate` for two entities with equal values [key.8].
    @discardableResult
    public func save<E: Entity>(
        contentsOf entities: [E], by keys: any PartialKeyPath<E> & Sendable...
    ) async throws(PersistencyError) -> [Saved<E>] {
        try await save(contentsOf: entities, by: keys)
    }

    func save<E: Entity>(
        contentsOf entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Saved<E>] {
        var duplicates = 0
        return try await RetryPolicy().repeating(while: { error in
            guard !isInTransaction else { return false }
            guard case .duplicate(let duplicate) = error else {
                return entities.count == 1 && error.isLoss(found: { $0.entity == E.entityName })
            }
            // After a concurrent creation, the next attempt finds the entity. Another duplicate remains.
            duplicates += 1
            return duplicate.entity == E.entityName && duplicates < 5
        }) { (_) async throws(PersistencyError) in
            // One save needs no transaction: it expects the version that it has read.
            if entities.count == 1 { return [try await save(entities[0], as: twins(of: entities, by: keys)[0])] }
            return try await ownTransaction(of: E.self) { (manager) async throws(PersistencyError) in
                var saved: [Saved<E>] = []
                for (entity, twin) in zip(entities, try await manager.twins(of: entities, by: keys)) {
                    saved.append(try await manager.save(entity, as: twin))
                }
                return saved
            }
        }
    }

    private func save<E: Entity>(_ entity: E, as twin: Stored<E>?) async throws(PersistencyError) -> Saved<E> {
        guard let twin else { return Saved(.inserted, try await create(entity)) }
        return try await update(twin.entity, expecting: twin.version)
    }
}

extension EntityRepository {
    /// See ``PersistencyManager/save(_:by:)``.
    @discardableResult
    public func save(
        _ entity: Model, by keys: any PartialKeyPath<Model> & Sendable...
    ) async throws(PersistencyError) -> Saved<Model> {
        try await manager.save(contentsOf: [entity], by: keys)[0]
    }

    /// See ``PersistencyManager/save(contentsOf:by:)``.
    @discardableResult
    public func save(
        contentsOf entities: [Model], by keys: any PartialKeyPath<Model> & Sendable...
    ) async throws(PersistencyError) -> [Saved<Model>] {
        try await manager.save(contentsOf: entities, by: keys)
    }
}
