public import LarderDomain

extension UnitOfWork {
    /// Plans the insertion of a root. If the unit has not read its id, the commit detects a duplicate.
    ///
    /// - Parameters:
    ///   - object: The new root, with everything that it owns.
    ///   - nested: The nested transaction that writes, here and below; `nil` for the outermost one.
    /// - Returns: The version that the root will have, if it remains.
    @discardableResult
    public func create(_ object: StorageObject, in nested: Int? = nil) async throws(PersistencyError) -> Int64 {
        let version = try whileOpen { (state) throws(PersistencyError) -> Int64? in
            // Otherwise, another write runs, or roots must be read.
            guard state.waiting == nil, state.tracked.removals.isEmpty else { return nil }
            try state.beginWrite(in: nested)
            return try state.plan(new: object)
        }
        if let version { return version }
        return try await inTurn(nested) { () throws(PersistencyError) in try await plan(new: object) }
    }

    /// Plans the insertion of a root, or its update if it is stored.
    @discardableResult
    public func save(
        _ object: StorageObject, in nested: Int? = nil
    ) async throws(PersistencyError) -> SaveOutcome {
        try await inTurn(nested) { () throws(PersistencyError) in
            if let current = try await read(object.id, of: object.schema) {
                return try await plan(object, after: current)
            }
            _ = try await plan(new: object)
            return .inserted
        }
    }

    /// Plans the update of a stored root.
    ///
    /// - Throws: `notFound`; `conflict` when the version within the unit is not the expected one; `refused` when a
    ///   delete rule protects a root that the update would drop. After an error, nothing is planned.
    @discardableResult
    public func update(
        _ object: StorageObject, expecting version: Int64?, in nested: Int? = nil
    ) async throws(PersistencyError) -> SaveOutcome {
        try await inTurn(nested) { () throws(PersistencyError) in
            let key = object.key
            guard let current = try await read(key.id, of: key.schema) else { throw .notFound(key.reference) }
            try locked { (state) throws(PersistencyError) in try state.check(key, expecting: version) }
            return try await plan(object, after: current)
        }
    }

    /// Plans the deletion of a root with everything that it owns, and applies the delete rules of the references to it.
    ///
    /// - Throws: `notFound`; `conflict` when the version within the unit is not the expected one; `refused` when a
    ///   delete rule forbids it. After an error, nothing is planned.
    public func delete(
        _ key: EntityKey, expecting version: Int64?, in nested: Int? = nil
    ) async throws(PersistencyError) {
        try await inTurn(nested) { () throws(PersistencyError) in
            guard try await read(key.id, of: key.schema) != nil else { throw .notFound(key.reference) }
            try locked { (state) throws(PersistencyError) in try state.check(key, expecting: version) }
            var plan = DeletionPlan()
            try await add(key, to: &plan)
            locked { $0.apply(plan) }
        }
    }

    /// Replaces the removals of a deleted root by updates of the roots that they affect, before the root is created
    /// again: a reference to the new root must not be removed. Loads all roots that referred to the old root.
    private func plan(new object: StorageObject) async throws(PersistencyError) -> Int64 {
        for removal in tracked.removals
        where removal.target == object.id && removal.reference.target == object.schema.name {
            let objects = try await referrers(of: removal)
            try whileOpen { (state) throws(PersistencyError) in try state.resolve(removal, from: objects) }
        }
        return try whileOpen { (state) throws(PersistencyError) in try state.plan(new: object) }
    }

    private func plan(
        _ object: StorageObject, after current: StorageObject
    ) async throws(PersistencyError) -> SaveOutcome {
        guard current != object else {
            locked { $0.unchangedSaves += 1 }
            return .unchanged
        }
        var plan = DeletionPlan()
        plan.set(object.key, to: object)
        try await addDropped(from: current, to: object, in: &plan)
        locked { $0.apply(plan) }
        return .updated
    }
}

extension UnitOfWork.State {
    fileprivate mutating func plan(new object: StorageObject) throws(PersistencyError) -> Int64 {
        let key = object.key
        let known = tracked[key]
        guard known?.current == nil, tracked.versionOfDropped(key) == nil else {
            throw .duplicate(Duplicate(entity: key.schema.name, columns: ["id"], existing: key.id))
        }
        set(key, to: object)
        return known?.base == nil ? 1 : tracked.version(of: key)
    }

    fileprivate mutating func apply(_ plan: DeletionPlan) {
        for (key, object) in plan.roots { set(key, to: object) }
        if plan.unlinked.isEmpty { return }
        for (key, object) in tracked.changed(by: PreparedRemovals(plan.unlinked)) { set(key, to: object) }
        if let writer { nested[writer]?.note(plan.removals, before: tracked.removals) }
        tracked.plan(plan.removals)
    }

    private mutating func set(_ key: EntityKey, to object: consuming StorageObject?) {
        note(key, planned: object)
        tracked.set(key, to: object)
    }

    /// - Parameter objects: The stored roots that the removal affects.
    fileprivate mutating func resolve(
        _ removal: ReferenceRemoval, from objects: [StorageObject]
    ) throws(PersistencyError) {
        for object in objects {
            let key = object.key
            note(key, planned: tracked[key]?.current ?? PreparedRemovals(tracked.removals).applied(to: object))
            try track(key, object)
        }
        if let writer { nested[writer]?.note([], before: tracked.removals) }
        tracked.resolve(removal)
    }

    fileprivate func check(_ key: EntityKey, expecting version: Int64?) throws(PersistencyError) {
        let root = tracked[key]
        // The version that was read remains valid: only this unit has changed the root since.
        guard version == nil || root?.current != nil && [root?.current?.version, root?.base?.version].contains(version)
        else { throw .conflict(Conflict(key.reference, expected: version, found: root?.current?.version)) }
    }

    /// Records the change in the nested transaction that writes, so that it can be discarded.
    private mutating func note(_ key: EntityKey, planned object: StorageObject?) {
        if let writer { nested[writer]?.note(key, before: tracked[key], planned: object) }
    }
}
