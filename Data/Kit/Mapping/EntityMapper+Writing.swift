public import LarderDomain

// The typed half of writing, specialized for the mapper's types like reading.

extension EntityMapper {
    /// Writes the differences from the stored entity. Compares in place if the store lends cells at once.
    @inlinable @inline(__always)
    public static func save(
        _ entity: Model, expecting version: Int64?, creates: Bool, through manager: StoreManager
    ) async throws(PersistencyError) -> Saved<Model> {
        let (id, mapping) = (entity.id.rawValue, mapping)
        if let version, let known = manager.cached(entity.id, at: version, of: mapping.schema) {
            // The entity's own `==` may ignore stored properties.
            if mapping.isSame(entity, as: known.entity) { return Saved(.unchanged, known) }
            return try await save(entity, over: known, expecting: version, creates: creates, through: manager)
        }
        // An entity that is already stored is read from the row, because properties that are not stored may differ.
        var (same, known, base): (Stored<Model>?, Stored<Model>?, StorageObject?)
        var isUnreadable = false
        let answer = try manager.store.lendAtOnce(id, of: mapping.schema) { (rows) throws(PersistencyError) in
            guard try rows.next() else { return }
            if let row = rows.lent, version == nil || version == rows.version, mapping.isSame(entity, as: row) {
                same = try stored(from: rows)
            } else if mapping.searchWords != nil {
                // A row is lent without the words of a search. One that the mapper refuses can be replaced, too.
                known = try? stored(from: rows)
                isUnreadable = known == nil
            } else {
                base = try rows.storageObject()
            }
        }
        if answer == .lentLast { await Task.yield() }
        if let same = same.take() { return Saved(.unchanged, same) }
        if let known = known.take() {
            return try await save(entity, over: known, expecting: version, creates: creates, through: manager)
        }
        if answer == .declined || isUnreadable { base = try await manager.store.read(id, of: mapping.schema) }
        let (object, kept) = try encoded(entity)
        return try await save(object, kept, over: base, expecting: version, creates: creates, through: manager)
    }

    /// Writes the differences from an entity that was read, in which the words of a search are left out if no searched
    /// text differs.
    @inlinable static func save(
        _ entity: Model, over known: Stored<Model>, expecting version: Int64?, creates: Bool,
        through manager: StoreManager
    ) async throws(PersistencyError) -> Saved<Model> {
        var (object, kept) = try encoded(entity, hasWords: false)
        let lacksWords = mapping.hasSameWords(kept, as: known.entity)
        if !lacksWords { try mapping.derive(from: kept, into: &object) }
        var base = try mapping.storageObject(ofRead: known.entity, before: (kept, object), hasWords: !lacksWords)
        base.version = known.version
        return try await save(object, kept, over: base, expecting: version, creates: creates, through: manager)
    }

    @inlinable static func save(
        _ object: StorageObject, _ kept: Model, over base: StorageObject?, expecting version: Int64?, creates: Bool,
        through manager: StoreManager
    ) async throws(PersistencyError) -> Saved<Model> {
        let written = try await manager.save(object, over: base, expecting: version, creates: creates)
        let saved = Saved(written.outcome, Stored(kept, version: written.version))
        if let commit = written.commit { manager.keep(saved.stored, object, committedBy: commit) }
        return saved
    }

    /// Plans the creation in a transaction.
    @inlinable public static func create(
        _ entity: Model, in unit: UnitOfWork, _ nested: Int?
    ) async throws(PersistencyError) -> Stored<Model> {
        let (object, kept) = try encoded(entity)
        return Stored(kept, version: try await unit.create(object, in: nested))
    }

    /// Commits one change set without a unit of work. Maps in slices, to leave the cooperative pool to other work.
    @inlinable public static func create(
        _ entities: [Model], in store: any Store
    ) async throws(PersistencyError) -> [Stored<Model>] {
        var (objects, stored) = ([StorageObject](), [Stored<Model>]())
        objects.reserveCapacity(entities.count)
        stored.reserveCapacity(entities.count)
        for (index, entity) in entities.enumerated() {
            if index % 256 == 255 { await Task.yield() }
            let (object, kept) = try encoded(entity)
            objects.append(consume object)
            stored.append(Stored(consume kept, version: 1))
        }
        if let id = objects.repeatedID {
            throw .duplicate(Duplicate(entity: schema.name, columns: ["id"], existing: id))
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return stored
    }

    /// The storage object of an entity, and the entity as a read will return it. Maps back before anything is stored,
    /// so that an unreadable object is refused.
    ///
    /// - Parameter hasWords: Whether the object has the words of a search.
    @inlinable static func encoded(
        _ entity: Model, hasWords: Bool = true
    ) throws(PersistencyError) -> (object: StorageObject, kept: Model) {
        var object = try mapping.storageObject(from: entity)
        let kept = try MappedObject<Self>(object).toSafeObject()
        try mapping.derive(from: kept, into: &object, hasWords: hasWords)
        return (object, kept)
    }
}
