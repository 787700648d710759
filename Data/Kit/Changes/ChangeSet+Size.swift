public import LarderDomain

extension ChangeSet {
    /// The most bytes of a change set, 64 MiB: so much is held in memory, more than once, and written at once.
    public static var byteLimit: Int { 64 << 20 }

    /// How many bytes it takes, roughly: its texts and blobs, and at least as much for all else as a store writes.
    ///
    /// - Complexity: O(*n*) for *n* values; how long they are does not matter.
    public var byteCount: Int {
        inserts.reduce(0) { $0 + $1.byteCount } + updates.reduce(0) { $0 + 48 + $1.changes.byteCount }
            + 48 * deletes.count
    }

    /// Refuses more than every store takes at once.
    ///
    /// - Throws: `unavailable` (`tooLarge`).
    public func checkSize() throws(PersistencyError) {
        let count = byteCount
        guard count <= Self.byteLimit else {
            throw .unavailable(
                Unavailable(.tooLarge, "the change set has \(count) bytes, and may have \(Self.byteLimit)"))
        }
    }
}

extension StorageObject {
    fileprivate var byteCount: Int {
        var count = 48 + values.reduce(0) { $0 + $1.byteCount }
        for list in links { count += 8 + 16 * list.count }
        for list in children { count += list.reduce(8) { $0 + $1.byteCount } }
        return count
    }
}

extension ObjectChanges {
    fileprivate var byteCount: Int {
        var count = 24 + columns.reduce(0) { $0 + 8 + $1.value.byteCount }
        for change in links { count += 24 + 24 * change.places.count }
        for change in children {
            switch change.kind {
            case .insert(let object, _): count += 40 + object.byteCount
            case .update(_, let changes): count += 40 + changes.byteCount
            case .delete: count += 40
            }
        }
        return count
    }
}

extension Value {
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer, .real, .id: 17
        case .text(let text): 17 + text.utf8.count
        case .blob(let blob): 17 + blob.count
        }
    }
}
