extension GuardedManager {
    /// Reads the stored entity, checks it, and writes at the version that was checked. Inside a transaction, the commit
    /// ensures that nothing changes between the check and the write.
    ///
    /// - Parameters:
    ///   - mine: The new entity, reported in a conflict.
    ///   - act: Checks the policy and writes; receives the stored entity, if any, and the version to expect.
    func judging<E: Entity, Result>(
        _ id: EntityID<E>, expecting version: Int64?, mine: E?,
        _ act: (E?, Int64?) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let repeats = version == nil && !isInTransaction
        var old: Stored<E>?
        return try await retry.repeating(while: { error in
            // The reference is made for errors only: the name of the entity takes long.
            repeats
                && error.isLoss(
                    found: { old != nil && $0 == EntityReference(id) },
                    missed: { old == nil && $0 == EntityReference(id) })
        }) { (_) async throws(PersistencyError) in
            old = nil
            old = try await read(id, expecting: version, mine: mine)
            return try await act(old?.entity, isInTransaction ? version : old?.version)
        }
    }

    private func read<E: Entity>(
        _ id: EntityID<E>, expecting version: Int64?, mine: E?
    ) async throws(PersistencyError) -> Stored<E>? {
        let policy = try policies.policy(for: E.self)
        guard let old = try await base.read(id) else { return nil }
        guard policy.mayRead(old.entity) else { throw .notFound(EntityReference(id)) }
        if !isInTransaction, let version, version != old.version {
            throw .conflict(
                Conflict(
                    EntityReference(id), expected: version, found: old.version, mine: mine, theirs: old.entity))
        }
        return old
    }
}
