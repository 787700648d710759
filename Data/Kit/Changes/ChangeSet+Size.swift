public import LarderDomain

extension ChangeSet {
    /// The maximum size of a change set, 64 MiB: a commit keeps several copies in memory and writes one batch.
    public static var byteLimit: Int { 64 << 20 }

    /// The estimated size in bytes, an upper bound of what a store writes.
    ///
    /// - Complexity: O(*n*) for *n* values, independent of their lengths.
    public var byteCount: Int { inserts.reduce(changedByteCount) { $0 + $1.byteCount() } }

    /// The size without inserted roots.
    var changedByteCount: Int {
        let bulk = bulk?.assignments.reduce(48) { $0 + $1.byteCount } ?? 0
        return updates.reduce(48 * (deletes.count + removals.count) + bulk) { $0 + 48 + $1.changes.byteCount }
    }

    /// Rejects change sets above ``byteLimit``.
    ///
    /// - Throws: `unavailable` (`tooLarge`).
    public func checkSize() throws(PersistencyError) { try Self.checkSize(byteCount) }

    static func checkSize(_ count: Int) throws(PersistencyError) {
        guard count <= Self.byteLimit else {
            throw .unavailable(
                Unavailable(.tooLarge, "the change set has \(count) bytes; the limit is \(Self.byteLimit)"))
        }
    }
}

extension StorageObject {
    /// The maximum size of a value in a log in bytes, without its text or blob.
    static var storedPerValue: Int { 17 }

    /// The estimated size in memory, in bytes.
    var memoryByteCount: Int { byteCount(perValue: 64) }

    /// The estimated size in bytes: texts, blobs, and a constant for each value, link and object.
    package func byteCount(perValue: Int = storedPerValue) -> Int {
        var count = 31 + perValue + values.reduce(0) { $0 + $1.byteCount(perValue) }
        for list in links { count += 8 + perValue * list.count }
        for list in children { count += list.reduce(8) { $0 + $1.byteCount(perValue: perValue) } }
        return count
    }
}

extension ObjectChanges {
    fileprivate var byteCount: Int {
        var count = 24 + columns.reduce(0) { $0 + 8 + $1.value.byteCount(StorageObject.storedPerValue) }
        for change in links { count += 24 + 24 * change.places.count }
        for change in children {
            switch change.kind {
            case .insert(let object, _): count += 40 + object.byteCount()
            case .update(_, let changes): count += 40 + changes.byteCount
            case .delete: count += 40
            }
        }
        return count
    }
}

extension ColumnAssignment {
    fileprivate var byteCount: Int {
        if case .set(let value) = change { 8 + value.byteCount(StorageObject.storedPerValue) } else { 24 }
    }
}

extension Value {
    fileprivate func byteCount(_ perValue: Int) -> Int {
        switch self {
        case .null, .integer, .real, .id: perValue
        case .text(let text): perValue + text.utf8.count
        case .blob(let blob): perValue + blob.count
        }
    }
}
