public import LarderDomain

// The typed half of writing. It is compiled for the mapper's own types, as reading is.

extension EntityMapper {
    /// Compares, in place where the store lends cells, and writes what differs.
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

    /// Commits one change set, which is made without a unit of work. Maps in slices, so that a large batch does not keep the
    /// cooperative pool from other work.
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

    /// An entity in neutral form, and as a read will give it. It is mapped back before anything is stored, so that what
    /// could never be read is refused.
    @inlinable static func encoded(_ entity: Model) throws(PersistencyError) -> (object: StorageObject, kept: Model) {
        let object = try storageObject(from: entity)
        return (object, try MappedObject<Self>(object).toSafeObject())
    }
}

/// An entity compared with what is stored under its id. Both are `nil` where nothing is stored.
///
/// `@unchecked Sendable` for the same reason as ``Found``.
@usableFromInline final class Compared<Model: Entity>: @unchecked Sendable {
    /// What is stored, if it is the same and has the expected version. It is read from the row, because properties that
    /// are not stored may differ.
    @usableFromInline var same: Stored<Model>?
    /// What is stored, if it differs or was not compared in place.
    @usableFromInline var base: StorageObject?

    @inlinable init() {}
}
