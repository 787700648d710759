internal import LarderData
internal import LarderDomain

/// Entities as storage objects, at version 0.
extension Author {
    var object: StorageObject {
        get throws { try AuthorMapper.storageObject(from: self) }
    }
}

extension Genre {
    var object: StorageObject {
        get throws { try GenreMapper.storageObject(from: self) }
    }
}

extension Book {
    var object: StorageObject {
        get throws { try BookMapper.storageObject(from: self) }
    }
}

extension Shelf {
    var object: StorageObject {
        get throws { try ShelfMapper.storageObject(from: self) }
    }
}

extension Review {
    var object: StorageObject {
        get throws { try ReviewMapper.storageObject(from: self) }
    }
}

extension Counter {
    var object: StorageObject {
        get throws { try CounterMapper.storageObject(from: self) }
    }
}

extension Picture {
    var object: StorageObject {
        get throws { try PictureMapper.storageObject(from: self) }
    }
}

extension StorageObject {
    var key: EntityKey { EntityKey(schema, id) }

    /// The update that changes this object to another value.
    func update(to new: StorageObject, expecting version: Int64) -> RootUpdate {
        RootUpdate(key, expected: version, changes: ObjectChanges(from: self, to: new))
    }

    /// The deletion of this object.
    func deletion(expecting version: Int64) -> RootExpectation { RootExpectation(key, version: version) }
}
