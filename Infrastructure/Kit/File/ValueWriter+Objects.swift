internal import LarderData
internal import LarderDomain

extension RecordWriter {
    /// Writes an object with all that it owns; the version is for roots, and stands elsewhere.
    mutating func append(_ object: StorageObject) {
        append(object.id)
        for value in object.values { append(value) }
        for ids in object.links {
            append(ids.count)
            for id in ids { append(id) }
        }
        for objects in object.children {
            append(objects.count)
            for child in objects { append(child) }
        }
    }

    mutating func append(_ changes: ObjectChanges) {
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
            append(change.kind)
        }
    }

    private mutating func append(_ kind: ChildChange.Kind) {
        switch kind {
        case .delete: append(UInt8(0))
        case .insert(let object, let position):
            append(UInt8(1))
            append(position)
            append(object)
        case .update(nil, let changes):
            append(UInt8(2))
            append(changes)
        case .update(let position?, let changes):
            append(UInt8(3))
            append(position)
            append(changes)
        }
    }
}
