public import LarderDomain

extension StoreManager {
    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try checkOutside()
        let object = try mappers.mapper(for: E.self).storageObject(from: entity)
        let receipt = try await store.commit(ChangeSet(inserts: [object]))
        return Stored(entity, version: receipt.version(of: object))
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let mine = try mapper.storageObject(from: entity)
        return try await retrying { () async throws(PersistencyError) -> Saved<E> in
            if let base = try await store.read(mine.id, of: mine.schema) {
                return try await replace(base, by: mine, entity, mapper)
            }
            let receipt = try await store.commit(ChangeSet(inserts: [mine]))
            return Saved(.inserted, Stored(entity, version: receipt.version(of: mine)))
        }
    }

    @discardableResult
    public func update<E: Entity>(
        _ entity: E, expecting version: Int64?
    ) async throws(PersistencyError) -> Saved<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let mine = try mapper.storageObject(from: entity)
        func attempt() async throws(PersistencyError) -> Saved<E> {
            guard let base = try await store.read(mine.id, of: mine.schema) else { throw .notFound(mine.reference) }
            guard version == nil || version == base.version else {
                throw .conflict(
                    Conflict(
                        mine.reference, expected: version, found: base.version, mine: entity,
                        theirs: try mapper.anyEntity(from: base)))
            }
            return try await replace(base, by: mine, entity, mapper)
        }
        return version == nil ? try await retrying(attempt) : try await attempt()
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try checkOutside()
        let schema = try mappers.mapper(for: E.self).schema
        // In a transaction, because others may refer to it, and what they become belongs to the same commit.
        try await typedTransaction { (manager) async throws(PersistencyError) in
            try await manager.unit.delete(EntityKey(schema, id.rawValue), expecting: version)
        }
    }

    /// Writes what differs between what is stored and what is wanted.
    private func replace<E: Entity>(
        _ base: StorageObject, by mine: StorageObject, _ entity: E, _ mapper: MapperBox<E>
    ) async throws(PersistencyError) -> Saved<E> {
        let changes = ObjectChanges(from: base, to: mine)
        if changes.isEmpty { return Saved(.unchanged, Stored(entity, version: base.version)) }
        if mine.schema.ownsTargets, !Set(base.ownedTargets).subtracting(mine.ownedTargets).isEmpty {
            // Something that it owned goes too: more than one root is concerned.
            return try await typedTransaction { (manager) async throws(PersistencyError) in
                try await manager.update(entity, expecting: base.version)
            }
        }
        let update = RootUpdate(
            EntityKey(mine.schema, mine.id), expected: base.version, changes: changes, owner: mine.owner)
        do {
            let receipt = try await store.commit(ChangeSet(updates: [update]))
            return Saved(.updated, Stored(entity, version: receipt.version(of: mine)))
        } catch .conflict(var conflict) {
            conflict.base = try mapper.anyEntity(from: base)
            conflict.mine = entity
            conflict.theirs = try await theirs(of: conflict, schema: mine.schema)
            throw .conflict(conflict)
        }
    }

    /// Repeats what lost against another change: read, compare, commit.
    private func retrying<Result>(
        _ attempt: () async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        var number = 1
        while true {
            do {
                return try await attempt()
            } catch .conflict(let conflict) {
                guard number < retry.attempts else { throw .conflict(conflict) }
            } catch .duplicate(let duplicate) where duplicate.columns == ["id"] {
                guard number < retry.attempts else { throw .duplicate(duplicate) }
            }
            number += 1
            try await retry.pause(before: number)
        }
    }

    /// The entity that won, as it is stored now.
    func theirs(of conflict: Conflict, schema: EntitySchema) async throws(PersistencyError) -> (any Entity)? {
        guard let object = try await store.read(conflict.reference.id, of: schema) else { return nil }
        return try mappers.entity(from: object)
    }
}

extension CommitReceipt {
    /// The version that a root has after the commit.
    fileprivate func version(of object: StorageObject) -> Int64 {
        versions[EntityKey(object.schema, object.id)] ?? object.version
    }
}
