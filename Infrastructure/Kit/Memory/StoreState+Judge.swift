internal import LarderData
internal import LarderDomain

/// A valid change set: each written root, before and after.
struct JudgedChanges: Sendable {
    struct Write: Sendable {
        let key: EntityKey
        /// `nil` for a new root.
        let old: StorageObject?
        /// `nil` for a deleted root.
        let new: StorageObject?
    }

    /// Updates, then deletes, then inserts.
    var writes: [Write] = []
    var rows = 0
}

extension StoreState {
    /// Checks whether a change set may be applied, and computes the resulting roots.
    ///
    /// - Throws: The errors of `Store.commit`, in the order documented there.
    /// - Complexity: O(*m* log *n*) for *m* rows and references of the roots written.
    func judge(_ changes: ChangeSet) throws(PersistencyError) -> JudgedChanges {
        for read in changes.reads { try expect(read.version, of: read.key) }
        var judged = JudgedChanges()
        let removals = PreparedRemovals(changes.removals)
        for update in changes.updates {
            guard let old = try expect(update.expected, of: update.key) else { continue }
            var new = old.applying(update.changes)
            new = removals.applied(to: new) ?? new
            new.version = update.expected + 1
            judged.writes.append(.init(key: update.key, old: old, new: new))
            judged.rows += 1 + update.changes.rowCount(in: old)
        }
        for delete in changes.deletes {
            guard let old = try expect(delete.version, of: delete.key) else { continue }
            judged.writes.append(.init(key: delete.key, old: old, new: nil))
            judged.rows += old.rowCount
        }
        for object in changes.inserts {
            let key = EntityKey(object.schema, object.id)
            guard try table(of: object.schema)[object.id] == nil else { throw duplicateID(key) }
            var new = removals.applied(to: object) ?? object
            new.version = changes.version(inserting: object)
            judged.writes.append(.init(key: key, old: nil, new: new))
            judged.rows += object.rowCount
        }
        let written = try rootsByKey(judged.writes)
        try judgeOwnership(of: judged.writes, written: written)
        try judgeUniqueness(of: judged.writes, written: written)
        try judgeReferences(of: judged.writes, written: written, without: removals)
        return judged
    }

    /// Checks whether a stored root may be restored, without its references.
    func judgeRestored(_ write: JudgedChanges.Write) throws(PersistencyError) {
        guard self[write.key] == nil else { throw duplicateID(write.key) }
        try judgeOwnership(of: [write], written: [:])
        try judgeUniqueness(of: [write], written: [:])
    }

    @discardableResult
    private func expect(_ version: Int64?, of key: EntityKey) throws(PersistencyError) -> StorageObject? {
        let found = try table(of: key.schema)[key.id]
        guard found?.version == version else {
            throw .conflict(Conflict(key.reference, expected: version, found: found?.version))
        }
        return found
    }

    private func duplicateID(_ key: EntityKey) -> PersistencyError {
        .duplicate(Duplicate(entity: key.schema.name, columns: ["id"], existing: key.id))
    }

    /// The resulting root for each written key; the inner optional is `nil` for deleted roots.
    private func rootsByKey(
        _ writes: [JudgedChanges.Write]
    ) throws(PersistencyError) -> [EntityKey: StorageObject?] {
        var written: [EntityKey: StorageObject?] = [:]
        for write in writes {
            // A change set contains each root once. A duplicate would corrupt the indexes of this state.
            guard written.updateValue(write.new, forKey: write.key) == nil else { throw duplicateID(write.key) }
        }
        return written
    }

    /// Each object has one owner, which may change within the change set.
    private func judgeOwnership(
        of writes: [JudgedChanges.Write], written: [EntityKey: StorageObject?]
    ) throws(PersistencyError) {
        var claimed: Set<EntityReference> = []
        for write in writes {
            guard let new = write.new, !new.children.isEmpty else { continue }
            for reference in new.ownedReferences {
                let isTaken = owner(of: reference).map { written[EntityKey(new.schema, $0)] == nil } ?? false
                guard !isTaken, claimed.insert(reference).inserted else {
                    throw .duplicate(Duplicate(entity: reference.entity, columns: ["id"], existing: reference.id))
                }
            }
        }
    }

    private func judgeUniqueness(
        of writes: [JudgedChanges.Write], written: [EntityKey: StorageObject?]
    ) throws(PersistencyError) {
        var claimed: [UniqueValues: RawID] = [:]
        for write in writes {
            guard let new = write.new else { continue }
            for values in UniqueValues.all(of: new) {
                // Written holders claim the values that they keep in this loop, and release the others.
                let unwritten = holder(of: values).flatMap { id in
                    written[EntityKey(new.schema, id)] == nil ? id : nil
                }
                if let existing = claimed.updateValue(new.id, forKey: values) ?? unwritten {
                    let columns = new.schema.uniques[values.group].map { new.schema.columns[$0].name }
                    throw .duplicate(Duplicate(entity: new.schema.name, columns: columns, existing: existing))
                }
            }
        }
    }

    private func judgeReferences(
        of writes: [JudgedChanges.Write], written: [EntityKey: StorageObject?], without removals: PreparedRemovals
    ) throws(PersistencyError) {
        for write in writes {
            if let new = write.new {
                for reference in outgoingReferences(of: new) where !resolves(reference.target, written) {
                    throw dangling(reference)
                }
            } else {
                let id = write.key.id
                let kept = schemas.references(to: write.key.schema).filter { !removals.contains(id, from: $0) }
                if kept.isEmpty { continue }
                for key in referrers(to: write.key.reference) where written[key] == nil {
                    guard let root = self[key] else { continue }
                    for reference in kept where reference.root.name == key.schema.name {
                        guard reference.refers(root, to: [id]) else { continue }
                        throw .dangling(
                            Dangling(entity: reference.holder.name, column: reference.memberName, id: id))
                    }
                }
            }
        }
    }

    private func resolves(_ target: EntityReference, _ written: [EntityKey: StorageObject?]) -> Bool {
        guard let schema = schemas[target.entity] else { return false }
        let key = EntityKey(schema, target.id)
        return if let root = written[key] { root != nil } else { self[key] != nil }
    }

    private func dangling(_ reference: OutgoingReference) -> PersistencyError {
        .dangling(Dangling(entity: reference.entity, column: reference.column, id: reference.target.id))
    }
}
