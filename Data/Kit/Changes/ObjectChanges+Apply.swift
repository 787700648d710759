private import LarderDomain

extension StorageObject {
    /// The object after changes, at the same version. Changes of missing owned objects are ignored.
    public func applying(_ changes: ObjectChanges) -> StorageObject {
        var object = self
        for change in changes.columns { object.values[change.column] = change.value }
        for change in changes.links {
            object.links[change.relationship] = change.applied(to: object.links[change.relationship])
        }
        for (index, list) in object.children.enumerated() {
            let own = changes.children.filter { $0.relationship == index }
            if !own.isEmpty { object.children[index] = Self.applying(own, to: list) }
        }
        return object
    }

    /// A list of owned objects after changes.
    private static func applying(_ changes: [ChildChange], to list: [StorageObject]) -> [StorageObject] {
        var placed: [RawID: (position: Int, object: StorageObject)] = [:]
        for (position, object) in list.enumerated() { placed[object.id] = (position, object) }
        for change in changes {
            switch change.kind {
            case .insert(let object, let position): placed[change.id] = (position, object)
            case .update(let position, let changes):
                guard let old = placed[change.id] else { continue }
                placed[change.id] = (position ?? old.position, old.object.applying(changes))
            case .delete: placed[change.id] = nil
            }
        }
        return placed.values.sorted { $0.position < $1.position }.map(\.object)
    }
}
