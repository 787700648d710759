public import LarderDomain

extension UnitOfWork {
    /// Plans a new root; whether it is there already, the commit says, unless the unit knows.
    ///
    /// - Returns: The version at which the unit sees it until its changes are stored.
    @discardableResult
    public func create(_ object: StorageObject) async throws(PersistencyError) -> Int64 {
        try checkOpen()
        let key = EntityKey(object.schema, object.id)
        let known = tracked[key]
        guard known?.current == nil else {
            throw .duplicate(Duplicate(entity: key.schema.name, columns: ["id"], existing: key.id))
        }
        var object = object
        object.version = known?.base?.version ?? 1
        if known == nil { tracked.beginUnseen(key, object) } else { tracked.set(key, to: object) }
        return object.version
    }

    /// Plans a root to be as given, whether it is stored or not.
    @discardableResult
    public func save(_ object: StorageObject) async throws(PersistencyError) -> SaveOutcome {
        guard try await read(object.id, of: object.schema) == nil else {
            return try await update(object, expecting: nil)
        }
        try await create(object)
        return .inserted
    }

    /// Plans a root that is stored to be as given.
    ///
    /// - Throws: `notFound`; `conflict` when the unit has it at another version than expected.
    @discardableResult
    public func update(
        _ object: StorageObject, expecting version: Int64?
    ) async throws(PersistencyError) -> SaveOutcome {
        let key = EntityKey(object.schema, object.id)
        guard let current = try await read(object.id, of: object.schema) else { throw .notFound(key.reference) }
        try check(key, expecting: version)
        guard current != object else { return .unchanged }
        var object = object
        object.version = current.version
        tracked.set(key, to: object)
        let kept = Set(object.ownedTargets)
        for target in current.ownedTargets where !kept.contains(target) {
            try await deleteIfPresent(target)
        }
        return .updated
    }

    /// Plans a root to go, with all that it owns, and applies the rules of those that refer to it.
    ///
    /// - Throws: `notFound`; `conflict` when the unit has it at another version than expected; `refused` when a rule
    ///   forbids it, and then nothing is planned.
    public func delete(_ key: EntityKey, expecting version: Int64?) async throws(PersistencyError) {
        guard try await read(key.id, of: key.schema) != nil else { throw .notFound(key.reference) }
        try check(key, expecting: version)
        var plan = DeletionPlan()
        try await add(key, to: &plan)
        for (key, object) in plan.roots { tracked.set(key, to: object) }
    }

    private func deleteIfPresent(_ target: OwnedTarget) async throws(PersistencyError) {
        guard let schema = store.schemas[target.schema], try await read(target.id, of: schema) != nil else { return }
        try await delete(EntityKey(schema, target.id), expecting: nil)
    }

    private func check(_ key: EntityKey, expecting version: Int64?) throws(PersistencyError) {
        let found = tracked[key]?.current == nil ? nil : tracked.version(of: key)
        guard version == nil || version == found else {
            throw .conflict(Conflict(key.reference, expected: version, found: found))
        }
    }
}
