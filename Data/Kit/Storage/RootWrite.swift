/// A root before and after a commit.
package struct RootWrite: Sendable {
    package let key: EntityKey
    /// `nil` for a new root.
    package let old: StorageObject?
    /// `nil` for a deleted root.
    package let new: StorageObject?
    /// The rows that the change set writes in a database; more than necessary if it repeats stored values.
    var rows = 0
}

extension StorageObject {
    /// The rows of the aggregate in a database: one for each object and for each entry of a list of links.
    package var rowCount: Int {
        1 + links.reduce(0) { $0 + $1.count } + children.joined().reduce(0) { $0 + $1.rowCount }
    }
}

extension ObjectChanges {
    /// The rows that the changes write in an object, without its own row.
    func rowCount(in old: StorageObject) -> Int {
        var rows = links.reduce(0) { sum, change in
            sum + change.places.count + max(0, old.links[change.relationship].count - change.count)
        }
        for (relationship, list) in old.children.enumerated() {
            let changed = children.filter { $0.relationship == relationship }
            if changed.isEmpty { continue }
            let byID = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
            rows += changed.reduce(0) { $0 + $1.rowCount(replacing: byID[$1.id]) }
        }
        return rows
    }
}

extension ChildChange {
    fileprivate func rowCount(replacing old: StorageObject?) -> Int {
        switch kind {
        case .insert(let object, _): return object.rowCount
        case .delete: return old?.rowCount ?? 0
        case .update(let position, let changes):
            let own = position == nil && changes.columns.isEmpty ? 0 : 1
            return own + (old.map(changes.rowCount) ?? 0)
        }
    }
}
