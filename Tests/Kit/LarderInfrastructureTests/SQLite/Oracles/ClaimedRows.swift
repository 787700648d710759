import LarderData
import LarderDomain

/// The row changes that the changes of an object imply.
struct ClaimedRows {
    private var removed: [RowKey: [String: Value]] = [:]
    private var added: [RowKey: [String: Value]] = [:]
    private var updated: [RowKey: Set<String>] = [:]

    /// - Parameter old: The object before.
    init(_ changes: ObjectChanges, of old: StorageObject) {
        claim(changes, of: old, moved: false)
    }

    /// Row by row; a row that is deleted and inserted again counts as updated.
    var rows: Set<RowChange> {
        var rows: Set<RowChange> = []
        for (key, columns) in updated { rows.insert(RowChange(row: key, kind: .update(columns))) }
        for (key, old) in removed {
            guard let new = added[key] else {
                rows.insert(RowChange(row: key, kind: .delete))
                continue
            }
            let columns = new.filter { $0.value != old[$0.key] }.keys
            if !columns.isEmpty { rows.insert(RowChange(row: key, kind: .update(Set(columns)))) }
        }
        for key in added.keys where removed[key] == nil { rows.insert(RowChange(row: key, kind: .insert)) }
        return rows
    }

    /// The columns of each expected `UPDATE`. A different statement replaces links.
    var updates: [String] {
        updated.filter { !$0.key.isLink }.map { "\($0.key.table): \($0.value.sorted().joined(separator: ", "))" }
            .sorted()
    }

    private mutating func claim(_ changes: ObjectChanges, of old: StorageObject, moved: Bool) {
        var columns = Set(changes.columns.map { old.schema.columns[$0.column].name })
        if moved { columns.insert("position") }
        if !columns.isEmpty { updated[old.row] = columns }
        for change in changes.links { claim(change, of: old) }
        for change in changes.children {
            let list = old.children[change.relationship]
            switch change.kind {
            case .insert(let object, let position):
                Self.collect(object, position, of: old, into: &added)
            case .delete:
                guard let position = list.firstIndex(where: { $0.id == change.id }) else { continue }
                Self.collect(list[position], position, of: old, into: &removed)
            case .update(let position, let changes):
                guard let object = list.first(where: { $0.id == change.id }) else { continue }
                claim(changes, of: object, moved: position != nil)
            }
        }
    }

    private mutating func claim(_ change: LinkChange, of old: StorageObject) {
        let link = old.schema.links[change.relationship]
        let (before, target) = (old.links[change.relationship], link.targetColumn(in: old.schema))
        for place in change.places {
            let key = old.row(of: link, at: place.position)
            if place.position < before.count { updated[key] = [target] } else { added[key] = [target: .id(place.id)] }
        }
        for position in before.indices where position >= change.count {
            removed[old.row(of: link, at: position)] = [target: .id(before[position])]
        }
    }

    /// The rows of an owned object and of everything that it owns.
    private static func collect(
        _ object: StorageObject, _ position: Int, of owner: StorageObject, into rows: inout [RowKey: [String: Value]]
    ) {
        var values: [String: Value] = [owner.schema.name: .id(owner.id), "position": .integer(Int64(position))]
        for (column, value) in zip(object.schema.columns, object.values) { values[column.name] = value }
        rows[object.row] = values
        for (link, ids) in zip(object.schema.links, object.links) {
            for (position, id) in ids.enumerated() {
                rows[object.row(of: link, at: position)] = [link.targetColumn(in: object.schema): .id(id)]
            }
        }
        for (position, child) in object.children.joined().enumerated() {
            collect(child, position, of: object, into: &rows)
        }
    }
}

extension StorageObject {
    fileprivate var row: RowKey { RowKey(table: schema.name, key: [id.hexadecimal]) }

    fileprivate func row(of link: LinkRelationship, at position: Int) -> RowKey {
        RowKey(table: schema.name + "_" + link.name, key: [id.hexadecimal, "\(position)"])
    }
}

extension RowKey {
    /// A link's key consists of its owner and its position; an object's key is its id.
    fileprivate var isLink: Bool { key.count > 1 }
}

extension LinkRelationship {
    fileprivate func targetColumn(in schema: EntitySchema) -> String {
        target == schema.name ? "linked_" + target : target
    }
}

extension RawID {
    /// The format in which a witness reports a key's bytes.
    fileprivate var hexadecimal: String { description.filter { $0 != "-" } }
}
