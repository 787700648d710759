public import LarderDomain

// The typed half of writing, specialized for the mapper's types like reading.

extension EntityMapper {
    /// Writes the differences from the stored entity. Compares in place if the store lends cells.
    @inlinable public static func save(
        _ entity: Model, expecting version: Int64?, creates: Bool, through manager: StoreManager
    ) async throws(PersistencyError) -> Saved<Model> {
        let (found, mapping) = (Compared<Model>(), mapping)
        try await manager.store.withRows([entity.id.rawValue], of: mapping.schema) { (rows) throws(PersistencyError) in
            guard try rows.next() else { return }
            if let row = rows.lent, version == nil || version == rows.version, mapping.isSame(entity, as: row) {
                found.same = try stored(from: rows)
            } else {
                found.base = try rows.storageObject()
            }
        }
        if let same = found.same { return Saved(.unchanged, same) }
        let (object, kept) = try encoded(entity)
        let written = try await manager.save(object, over: found.base, expecting: version, creates: creates)
        return Saved(written.outcome, Stored(kept, version: written.version))
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
            objects.append(object)
            stored.append(Stored(kept, version: 1))
        }
        if let id = objects.repeatedID {
            throw .duplicate(Duplicate(entity: schema.name, columns: ["id"], existing: id))
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return stored
    }

    /// The storage object of an entity, and the entity as a read will return it. Maps back before anything is stored,
    /// so that an unreadable object is refused.
    @inlinable static func encoded(_ entity: Model) throws(PersistencyError) -> (object: StorageObject, kept: Model) {
        let object = try storageObject(from: entity)
        return (object, try MappedObject<Self>(object).toSafeObject())
    }
}

/// The stored entity with the id of a compared one. Both properties are `nil` if nothing is stored.
///
/// `@unchecked Sendable` for the same reason as ``Found``.
@usableFromInline final class Compared<Model: Entity>: @unchecked Sendable {
    /// The stored entity, if it is equal and has the expected version. Comes from the row, because properties that are
    /// not stored may differ.
    @usableFromInline var same: Stored<Model>?
    /// The stored object, if it differs or was not compared in place.
    @usableFromInline var base: StorageObject?

    @inlinable init() {}
}
