package import LarderDomain

extension ObjectState {
    /// Checks whether a change set may be applied, and computes the resulting roots. The effects of removals on other
    /// roots are not among them.
    ///
    /// - Returns: The updates, then the deletes, then the inserts.
    /// - Throws: The errors of ``Store/commit(_:)`` from versions on, in the order documented there.
    package func judge(_ changes: ChangeSet) throws(PersistencyError) -> [RootWrite] {
        for read in changes.reads { try expect(read.version, of: read.key) }
        let removals = PreparedRemovals(changes.removals)
        func stored(_ root: StorageObject, version: Int64) -> StorageObject {
            var root = removals.applied(to: root) ?? root
            root.version = version
            return root
        }
        var writes: [RootWrite] = []
        for update in changes.updates {
            guard let old = try expect(update.expected, of: update.key) else { continue }
            let new = stored(old.applying(update.changes), version: update.expected + 1)
            let rows = 1 + update.changes.rowCount(in: old)
            writes.append(RootWrite(key: update.key, old: old, new: new, rows: rows))
        }
        for delete in changes.deletes {
            guard let old = try expect(delete.version, of: delete.key) else { continue }
            writes.append(RootWrite(key: delete.key, old: old, new: nil, rows: old.rowCount))
        }
        let replaced = changes.replacedRoots
        writes.removeAll { $0.new == nil && replaced.contains($0.key) }
        for root in changes.inserts {
            let key = EntityKey(root.schema, root.id)
            let old = replaced.contains(key) ? table[key] : nil
            guard (table[key] == nil) == (old == nil) else { throw duplicateID(key.reference) }
            let new = stored(root, version: changes.version(inserting: root))
            writes.append(RootWrite(key: key, old: old, new: new, rows: root.rowCount))
        }
        // The inner optional is `nil` for deleted roots.
        var written: [EntityKey: StorageObject?] = [:]
        for write in writes {
            // A change set contains each root once. A duplicate would corrupt the indexes of this state.
            guard written.updateValue(write.new, forKey: write.key) == nil else {
                throw duplicateID(write.key.reference)
            }
        }
        try judgeOwnership(of: writes, written: written)
        try judgeUniqueness(of: writes, written: written)
        try judgeReferences(of: writes, written: written, without: removals)
        return writes
    }

    /// Checks whether a stored root may be restored, without its references.
    func judgeRestored(_ write: RootWrite) throws(PersistencyError) {
        guard table[write.key] == nil else { throw duplicateID(write.key.reference) }
        try judgeOwnership(of: [write], written: [:])
        try judgeUniqueness(of: [write], written: [:])
    }

    @discardableResult
    private func expect(_ version: Int64?, of key: EntityKey) throws(PersistencyError) -> StorageObject? {
        let found = table[key]
        guard found?.version == version else {
            throw .conflict(Conflict(key.reference, expected: version, found: found?.version))
        }
        return found
    }

    private func duplicateID(_ reference: EntityReference) -> PersistencyError {
        .duplicate(Duplicate(entity: reference.entity, columns: ["id"], existing: reference.id))
    }

    /// Each object has one owner, which may change within the change set.
    private func judgeOwnership(
        of writes: [RootWrite], written: [EntityKey: StorageObject?]
    ) throws(PersistencyError) {
        var claimed: Set<EntityReference> = []
        for case let new? in writes.lazy.map(\.new) {
            for reference in new.ownedReferences {
                let isTaken = owners[reference].map { written[EntityKey(new.schema, $0)] == nil } ?? false
                guard !isTaken, claimed.insert(reference).inserted else { throw duplicateID(reference) }
            }
        }
    }

    private func judgeUniqueness(
        of writes: [RootWrite], written: [EntityKey: StorageObject?]
    ) throws(PersistencyError) {
        var claimed: [UniqueValues: RawID] = [:]
        for case let new? in writes.lazy.map(\.new) {
            for values in UniqueValues.all(of: new) {
                // Written holders claim the values that they keep in this loop, and release the others.
                let unwritten = uniques[values].flatMap { id in
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
        of writes: [RootWrite], written: [EntityKey: StorageObject?], without removals: PreparedRemovals
    ) throws(PersistencyError) {
        for write in writes {
            if let new = write.new {
                try judgeReferences(from: new, written)
                continue
            }
            let incoming = schemas.references(to: write.key.schema)
            // A removal from all of them may affect many roots, which need not be searched.
            if incoming.allSatisfy({ removals.contains(write.key.id, from: $0) }) { continue }
            for key in referrers[write.key.reference] ?? [] where written[key] == nil {
                guard let root = table[key] else { continue }
                try judgeReferences(from: removals.applied(to: root) ?? root, written)
            }
        }
    }

    private func judgeReferences(
        from root: StorageObject, _ written: [EntityKey: StorageObject?]
    ) throws(PersistencyError) {
        for reference in root.outgoingReferences {
            guard let schema = schemas[reference.target.entity] else { throw .dangling(reference.dangling) }
            let key = EntityKey(schema, reference.target.id)
            let target = if let root = written[key] { root } else { table[key] }
            if target == nil { throw .dangling(reference.dangling) }
        }
    }
}
