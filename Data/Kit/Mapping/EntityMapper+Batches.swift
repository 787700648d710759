public import LarderDomain

extension EntityMapper {
    /// Commits one change set, which is made without a unit of work.
    ///
    /// Maps in slices, so that a large batch does not keep the cooperative pool to itself. Maps back, so that what could
    /// never be read is refused.
    @inlinable
    public static func create(
        _ entities: [Model], in store: any Store
    ) async throws(PersistencyError) -> [Stored<Model>] {
        var (objects, kept) = ([StorageObject](), [Stored<Model>]())
        objects.reserveCapacity(entities.count)
        kept.reserveCapacity(entities.count)
        for (index, entity) in entities.enumerated() {
            if index % 256 == 255 { await Task.yield() }
            let object = try storageObject(from: entity)
            kept.append(Stored(try safeObject(from: ObjectReader(object)), version: 1))
            objects.append(object)
        }
        if let id = objects.repeatedID {
            throw .duplicate(Duplicate(entity: schema.name, columns: ["id"], existing: id))
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return kept
    }
}
