public import LarderDomain

/// Writes one object: reads, compares, commits the difference. Untyped, so that it is compiled once for all entities.
extension StoreManager {
    /// The outcome of a write, the object's version, and the id of a commit of this object alone.
    @usableFromInline typealias Written = (outcome: SaveOutcome, version: Int64, commit: CommitID?)

    func insert(_ object: StorageObject) async throws(PersistencyError) -> Written {
        _ = try await store.commit(ChangeSet(inserts: [object]))
        return (.inserted, 1, nil)
    }

    /// - Parameters:
    ///   - mine: The new object; without words of a search only if the base lacks the same ones.
    ///   - base: The stored object; it is read again after a conflict.
    ///   - creates: Whether to create an object that is not stored.
    @usableFromInline func save(
        _ mine: StorageObject, over base: StorageObject?, expecting version: Int64?, creates: Bool
    ) async throws(PersistencyError) -> Written {
        var (mine, base) = (mine, base)
        return try await retry.repeating(while: { error in
            version == nil && error.isLoss(missed: { $0 == mine.reference })
        }) { (attempt) async throws(PersistencyError) in
            if attempt > 1 {
                base = try await store.read(mine.id, of: mine.schema)
                mine = try mappers.complete(mine)
            }
            if base == nil, !creates { throw .notFound(mine.reference) }
            if let version, let base, version != base.version {
                throw .conflict(
                    Conflict(
                        mine.reference, expected: version, found: base.version, mine: try mappers.entity(from: mine),
                        theirs: try mappers.entity(from: base)))
            }
            guard let base else { return try await insert(mine) }
            return try await replace(base, by: mine)
        }
    }

    /// The entity of the concurrent commit, as stored now.
    func theirs(of conflict: Conflict, schema: EntitySchema) async throws(PersistencyError) -> (any Entity)? {
        guard let object = try await store.read(conflict.reference.id, of: schema) else { return nil }
        return try mappers.entity(from: object)
    }

    /// Writes the difference between the stored and the new object.
    ///
    /// - Throws: `conflict`, with base, mine and theirs, if the stored object was changed or deleted.
    @inline(__always) private func replace(
        _ base: StorageObject, by mine: StorageObject
    ) async throws(PersistencyError) -> Written {
        let changes = ObjectChanges(from: base, to: mine)
        if changes.isEmpty { return (.unchanged, base.version, nil) }
        do {
            return try await write(mine, over: base, changes)
        } catch {
            var conflict: Conflict
            switch error {
            case .conflict(let found) where found.reference == mine.reference: conflict = found
            case .notFound(mine.reference): conflict = Conflict(mine.reference, expected: base.version, found: nil)
            default: throw error
            }
            conflict.base = try mappers.entity(from: base)
            conflict.mine = try mappers.entity(from: mine)
            conflict.theirs = try await theirs(of: conflict, schema: mine.schema)
            throw .conflict(conflict)
        }
    }

    @inline(__always) private func write(
        _ mine: StorageObject, over base: StorageObject, _ changes: ObjectChanges
    ) async throws(PersistencyError) -> Written {
        if mine.schema.ownsTargets, !Set(base.ownedTargets).subtracting(mine.ownedTargets).isEmpty {
            // The update also deletes an owned root, so it changes more than one root.
            _ = try await typedTransaction { (manager) async throws(PersistencyError) in
                try await manager.unit.update(mappers.complete(mine), expecting: base.version)
            }
            return (.updated, base.version + 1, nil)
        }
        let update = RootUpdate(mine.key, expected: base.version, changes: changes, owner: mine.owner)
        let commit = ChangeSet(updates: [update])
        _ = try await store.commit(commit)
        return (.updated, base.version + 1, commit.id)
    }
}
