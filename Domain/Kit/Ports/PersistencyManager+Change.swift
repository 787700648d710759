extension PersistencyManager {
    @discardableResult
    public func change<E: Entity>(_ id: EntityID<E>, _ body: (inout E) throws -> Void) async throws -> Saved<E> {
        try await change(id, retry: RetryPolicy(), body)
    }

    /// Reads and updates an entity by this manager's own members, with the attempts of a policy; one in a transaction.
    public func change<E: Entity>(
        _ id: EntityID<E>, retry: RetryPolicy, _ body: (inout E) throws -> Void
    ) async throws -> Saved<E> {
        let interruption: any Error = PersistencyError.cancelled
        var isLost = false
        return try await retry.repeating(interruption: interruption, while: { _ in isLost }) { _ in
            isLost = false
            let stored = try await require(id)
            var entity = stored.entity
            try body(&entity)
            guard entity.id == id else {
                throw PersistencyError.invalid(
                    InvalidField(entity: E.entityName, id: id.rawValue, field: "id", reason: "must not change"))
            }
            do throws(PersistencyError) {
                return try await update(entity, expecting: stored.version)
            } catch {
                isLost = !isInTransaction && error.isLoss(found: { $0 == EntityReference(id) })
                throw error
            }
        }
    }
}
