internal import LarderDomain

extension Trial {
    /// Fails the law unless the stored entity equals this entity, at a version if one is given.
    func expectStored<E: Entity>(_ entity: E, version: Int64? = nil) async throws {
        guard let found = try await manager.read(entity.id) else {
            throw LawBroken("\(EntityReference(entity.id)) is not stored")
        }
        try expect("\(EntityReference(entity.id))", found.entity, is: entity)
        if let version { try expect("the version of \(EntityReference(entity.id))", found.version, is: version) }
    }

    /// Fails the law if an entity is stored.
    func expectAbsent<E: Entity>(_ id: EntityID<E>) async throws {
        try expect(try await manager.read(id) == nil, "\(EntityReference(id)) is stored and should not be")
    }

    /// Fails the law unless the given number of entities of a type are stored.
    func expectCount<E: Entity>(_ count: Int, of type: E.Type) async throws {
        let found = try await manager.read(Query<E>()).items.count
        try expect("the number of \(type)s", found, is: count)
    }
}
