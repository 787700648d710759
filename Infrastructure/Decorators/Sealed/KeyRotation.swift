public import LarderData
public import LarderDomain

extension SealedStore {
    /// Encrypts all values that are sealed with older keys again, with the current key, and deletes the records of the
    /// older keys, so that the store can be opened without them.
    ///
    /// Reads and commits continue meanwhile. Each affected root is updated at the version that was read, and read again
    /// after a conflict, so that no concurrent change is lost. Its version rises by one, because every change of a root
    /// raises its version, and observers receive it as updated. A rotation that was interrupted is repeated: only the
    /// remaining roots are written.
    ///
    /// All other processes that write the store must use the current key already.
    ///
    /// - Parameters:
    ///   - store: A sealed store, or a decorator of it, such as a cache.
    ///   - pageSize: The number of roots in memory at a time, and of a commit.
    ///   - retry: The attempts at a root that concurrent commits change.
    /// - Returns: The number of roots that were written.
    /// - Throws: `unsupportedQuery` for a store that is not sealed; `invalid` for a value that cannot be opened; the
    ///   errors of the store.
    /// - Complexity: O(*n*) for *n* roots with sealed columns: all of them are read.
    public static func rotateKeys(
        of store: any Store, pageSize: Int = 100, retry: RetryPolicy = RetryPolicy(attempts: 1_000)
    ) async throws(PersistencyError) -> Int {
        guard let sealed = store.feature(SealedStore.self) else {
            throw .unsupportedQuery("a rotation of keys of a store that is not sealed")
        }
        let older = try await KeyRecord.older(than: sealed.sealer.keys, in: sealed.base)
        var count = 0
        for schema in sealed.schemas.roots where schema.sealedColumn != nil {
            guard let form = sealed.base.schemas[schema.name] else { continue }
            var request = ReadRequest(form, limit: max(1, pageSize))
            repeat {
                let page = try await sealed.base.read(request)
                count += try await sealed.rewrite(page.items, schema, in: store, retry)
                request.after = page.next
            } while request.after != nil
        }
        if !older.isEmpty {
            _ = try await sealed.base.commit(
                ChangeSet(deletes: older.map { RootExpectation($0.key, version: $0.version) }))
        }
        return count
    }

    /// Updates the objects of the base that have values of older keys, through the outermost store, which may be a cache:
    /// together or, after a concurrent commit, one by one.
    private func rewrite(
        _ objects: [StorageObject], _ schema: EntitySchema, in store: any Store, _ retry: RetryPolicy
    ) async throws(PersistencyError) -> Int {
        let updates = try staleRoots(objects, schema)
        do throws(PersistencyError) {
            if !updates.isEmpty { _ = try await store.commit(ChangeSet(updates: updates)) }
            return updates.count
        } catch {
            let isTooLarge = if case .unavailable(let cause) = error { cause.reason == .tooLarge } else { false }
            guard Self.isLoss(error) || isTooLarge && updates.count > 1 else { throw error }
        }
        guard let form = base.schemas[schema.name] else { return 0 }
        var count = 0
        for id in updates.map(\.key.id) {
            count += try await retry.repeating(while: Self.isLoss) { (_) async throws(PersistencyError) in
                let object = try await base.read(id, of: form)
                let updates = try staleRoots(object.map { [$0] } ?? [], schema)
                if !updates.isEmpty { _ = try await store.commit(ChangeSet(updates: updates)) }
                return updates.count
            }
        }
        return count
    }

    /// Also after a deletion of a root.
    private static func isLoss(_ error: PersistencyError) -> Bool { error.isLoss(found: { _ in true }) }

    private func staleRoots(
        _ objects: [StorageObject], _ schema: EntitySchema
    ) throws(PersistencyError) -> [RootUpdate] {
        var updates: [RootUpdate] = []
        for object in objects {
            let stale = try object.staleChanges(sealer, schema)
            if stale.isEmpty { continue }
            let key = EntityKey(schema, object.id)
            updates.append(RootUpdate(key, expected: object.version, changes: stale, owner: object.owner))
        }
        return updates
    }
}

extension StorageObject {
    /// The values that are not sealed with the current key, as changes to themselves.
    fileprivate func staleChanges(_ sealer: Sealer, _ schema: EntitySchema) throws(PersistencyError) -> ObjectChanges {
        var changes = ObjectChanges()
        if schema.sealedColumn == nil { return changes }
        for (index, column) in schema.columns.enumerated()
        where column.sealing != nil && !sealer.isCurrent(values[index]) {
            changes.columns.append(
                ColumnChange(column: index, value: try sealer.open(values[index], index, of: id, schema)))
        }
        for (list, objects) in children.enumerated() {
            for object in objects {
                let stale = try object.staleChanges(sealer, schema.children[list].schema)
                if stale.isEmpty { continue }
                changes.children.append(
                    ChildChange(relationship: list, id: object.id, kind: .update(position: nil, stale)))
            }
        }
        return changes
    }
}
