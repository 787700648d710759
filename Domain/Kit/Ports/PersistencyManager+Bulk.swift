extension PersistencyManager {
    /// Throws `unsupportedQuery`: the default for managers without updates by query, and for decorators, whose checks of
    /// updates it would bypass.
    @discardableResult
    public func update<E: Entity>(
        matching query: Query<E>, _ update: BulkUpdate<E>
    ) async throws(PersistencyError) -> Int {
        throw .unsupportedQuery("an update of \(E.entityName) by query through \(Self.self)")
    }

    /// Changes all entities that match a query, in one commit; see ``update(matching:_:)-(_,BulkUpdate<E>)``.
    @discardableResult
    public func update<E: Entity>(
        matching query: Query<E>, _ changes: (inout BulkUpdate<E>) -> Void
    ) async throws(PersistencyError) -> Int {
        var update = BulkUpdate<E>()
        changes(&update)
        return try await self.update(matching: query, update)
    }
}

extension EntityRepository {
    /// See ``PersistencyManager/update(matching:_:)``.
    @discardableResult
    public func update(
        matching query: Query<Model>, _ changes: (inout BulkUpdate<Model>) -> Void
    ) async throws(PersistencyError) -> Int {
        try await manager.update(matching: query, changes)
    }
}
