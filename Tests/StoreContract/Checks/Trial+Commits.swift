internal import LarderData
internal import LarderDomain

extension Trial {
    /// Commits new objects.
    @discardableResult
    func insert(_ objects: StorageObject...) async throws -> CommitReceipt {
        try await store.commit(ChangeSet(inserts: objects))
    }

    /// The stored form of an object, read by its id.
    func stored(_ object: StorageObject) async throws -> StorageObject? {
        try await store.read(object.id, of: object.schema)
    }

    /// Fails the law unless the stored objects equal these objects, at a version.
    func expectStored(_ objects: StorageObject..., version: Int64 = 1) async throws {
        for object in objects {
            guard let found = try await stored(object) else { throw LawBroken("\(object.reference) is not stored") }
            try expect("\(object.reference)", found, is: object)
            try expect("the version of \(object.reference)", found.version, is: version)
        }
    }

    /// Fails the law if an object is stored.
    func expectAbsent(_ objects: StorageObject...) async throws {
        for object in objects {
            try expect(try await stored(object) == nil, "\(object.reference) is stored and should not be")
        }
    }

    /// Fails the law unless a schema has the given number of roots.
    func expectCount(_ count: Int, of schema: EntitySchema) async throws {
        let found = try await store.read(ReadRequest(schema)).items.count
        try expect("the number of roots of \(schema.name)", found, is: count)
    }
}
