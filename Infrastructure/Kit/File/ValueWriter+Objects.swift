internal import LarderData
internal import LarderDomain

extension ValueWriter {
    /// A writer with reserved space for the frame of a record.
    static var record: ValueWriter { ValueWriter(headerSize: RecordFrame.size) }

    consuming func record(_ kind: RecordFrame.Kind, number: UInt64, salt: UInt64) -> [UInt8] {
        RecordFrame(kind: kind, length: count, number: number, salt: salt).write(to: &bytes)
        return bytes
    }

    /// Appends the owner of a changed root, if any.
    mutating func append(owner: RawID?) {
        append(UInt8(owner == nil ? 0 : 1))
        if let owner { append(owner) }
    }

    /// Appends an object and the objects that it owns, without the version, which only roots have.
    mutating func append(_ object: StorageObject, _ further: FurtherColumns) {
        append(object.id)
        for value in object.values { append(value) }
        for value in further.missing(in: object) { append(value) }
        for ids in object.links {
            append(ids.count)
            for id in ids { append(id) }
        }
        for objects in object.children {
            append(objects.count)
            for child in objects { append(child, further) }
        }
    }

    mutating func append(_ changes: ObjectChanges, _ further: FurtherColumns) {
        append(changes.columns.count)
        for change in changes.columns {
            append(change.column)
            append(change.value)
        }
        append(changes.links.count)
        for change in changes.links {
            append(change.relationship)
            append(change.count)
            append(change.places.count)
            for place in change.places {
                append(place.position)
                append(place.id)
            }
        }
        append(changes.children.count)
        for change in changes.children {
            append(change.relationship)
            append(change.id)
            append(change.kind, further)
        }
    }

    private mutating func append(_ kind: ChildChange.Kind, _ further: FurtherColumns) {
        switch kind {
        case .delete: append(UInt8(0))
        case .insert(let object, let position):
            append(UInt8(1))
            append(position)
            append(object, further)
        case .update(nil, let changes):
            append(UInt8(2))
            append(changes, further)
        case .update(let position?, let changes):
            append(UInt8(3))
            append(position)
            append(changes, further)
        }
    }
}
