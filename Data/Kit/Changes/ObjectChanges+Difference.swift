public import LarderDomain

extension ObjectChanges {
    /// The difference from `old` to `new`, two states of the same object.
    ///
    /// Owned objects are matched by id, so an object that moved is an update and not a deletion and an insertion.
    public init(from old: borrowing StorageObject, to new: borrowing StorageObject) {
        for index in new.values.indices where new.values[index] != old.values[index] {
            columns.append(ColumnChange(column: index, value: new.values[index]))
        }
        for (index, ids) in new.links.enumerated() where ids != old.links[index] {
            links.append(LinkChange(relationship: index, from: old.links[index], to: ids))
        }
        for (index, objects) in new.children.enumerated() {
            children += ChildChange.differences(relationship: index, from: old.children[index], to: objects)
        }
    }
}

extension LinkChange {
    init(relationship: Int, from old: [RawID], to new: [RawID]) {
        let places = new.enumerated().filter { $0.offset >= old.count || old[$0.offset] != $0.element }
        self.init(
            relationship: relationship, places: places.map { LinkPlace(position: $0.offset, id: $0.element) },
            count: new.count)
    }

    /// The list after the change.
    public func applied(to list: [RawID]) -> [RawID] {
        var list = list
        for place in places {
            if place.position < list.count { list[place.position] = place.id } else { list.append(place.id) }
        }
        return Array(list.prefix(count))
    }
}

extension ChildChange {
    static func differences(relationship: Int, from old: [StorageObject], to new: [StorageObject]) -> [ChildChange] {
        // Most lists keep the order of their objects.
        if old.count == new.count, new.indices.allSatisfy({ old[$0].id == new[$0].id }) {
            return new.indices.compactMap { index in
                let changes = ObjectChanges(from: old[index], to: new[index])
                guard !changes.isEmpty else { return nil }
                return .init(relationship: relationship, id: new[index].id, kind: .update(position: nil, changes))
            }
        }
        let oldByID = Dictionary(old.enumerated().map { ($1.id, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
        var found: [ChildChange] = []
        for (position, object) in new.enumerated() {
            guard let (oldPosition, oldObject) = oldByID[object.id] else {
                found.append(
                    .init(relationship: relationship, id: object.id, kind: .insert(object, position: position)))
                continue
            }
            let changes = ObjectChanges(from: oldObject, to: object)
            let moved = oldPosition == position ? nil : position
            guard moved != nil || !changes.isEmpty else { continue }
            found.append(.init(relationship: relationship, id: object.id, kind: .update(position: moved, changes)))
        }
        let kept = Set(new.map(\.id))
        for object in old where !kept.contains(object.id) {
            found.append(.init(relationship: relationship, id: object.id, kind: .delete))
        }
        return found
    }
}
