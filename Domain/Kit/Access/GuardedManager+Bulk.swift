extension GuardedManager {
    /// Only entities that the caller may see and update by query; see ``AccessPolicy/updatableByQuery``.
    @discardableResult
    public func update<E: Entity>(
        matching query: Query<E>, _ update: BulkUpdate<E>
    ) async throws(PersistencyError) -> Int {
        guard let updatable = try policies.policy(for: E.self).updatableByQuery else {
            throw .forbidden(Forbidden(.changing, E.entityName))
        }
        var query = try restricted(query)
        query.predicates += updatable
        return try await base.update(matching: query, update)
    }
}
