internal import LarderData
internal import LarderDomain

extension Trial {
    /// Commits objects that are new.
    @discardableResult
    func insert(_ objects: StorageObject...) async throws -> CommitReceipt {
        try await store.commit(ChangeSet(inserts: objects))
    }

    /// What is stored of an object, found by its id.
    func stored(_ object: StorageObject) async throws -> StorageObject? {
        try await store.read(object.id, of: object.schema)
    }

    /// Breaks the law unless objects are stored just as they are, at a version.
    func expectStored(_ objects: StorageObject..., version: Int64 = 1) async throws {
        for object in objects {
            guard let found = try await stored(object) else { throw LawBroken("\(object.reference) is not stored") }
            try expect("\(object.reference)", found, is: object)
            try expect("the version of \(object.reference)", found.version, is: version)
        }
    }

    /// Breaks the law if an object is stored.
    func expectAbsent(_ objects: StorageObject...) async throws {
        for object in objects {
            try expect(try await stored(object) == nil, "\(object.reference) is stored and should not be")
        }
    }

    /// Breaks the law unless a schema has as many roots as said.
    func expectCount(_ count: Int, of schema: EntitySchema) async throws {
        let found = try await store.read(ReadRequest(schema)).items.count
        try expect("the number of roots of \(schema.name)", found, is: count)
    }
}
