internal import GRDB
internal import LarderData
internal import LarderDomain

extension ChangeApplier {
    /// Inserts the owned objects of a new object, at any depth, and all links.
    func insertOwned(by object: StorageObject, _ table: StoredTable) throws {
        for (link, targets) in zip(table.links, object.links) {
            for (position, target) in targets.enumerated() { try put(link, object.id, position, target) }
        }
        for (child, objects) in zip(table.children, object.children) {
            for (position, owned) in objects.enumerated() { try insert(owned, of: object.id, position, child) }
        }
    }

    private func insert(_ object: StorageObject, of owner: RawID, _ position: Int, _ table: StoredTable) throws {
        try insert(object, [.id(owner), .integer(Int64(position))], table)
        try insertOwned(by: object, table)
    }

    private func put(_ link: LinkTable, _ owner: RawID, _ position: Int, _ target: RawID) throws {
        try run(
            """
            INSERT INTO \(link.quotedName) (\(link.quotedOwner), position, \(link.quotedTarget)) VALUES (?, ?, ?) \
            ON CONFLICT (\(link.quotedOwner), position) DO UPDATE SET \(link.quotedTarget) = excluded.\(link.quotedTarget)
            """, [.id(owner), .integer(Int64(position)), .id(target)])
    }

    /// Deletes removed owned objects, at any depth.
    func deleteOwned(_ changes: ObjectChanges, _ owner: RawID, _ table: StoredTable) throws {
        for change in changes.children {
            let child = table.children[change.relationship]
            switch change.kind {
            case .insert: continue
            case .update(_, let changes): try deleteOwned(changes, change.id, child)
            case .delete:
                try run(
                    "DELETE FROM \(child.quotedName) WHERE id = ? AND \(table.quotedName) = ?",
                    [.id(change.id), .id(owner)])
            }
        }
    }

    /// Writes links, and inserted or changed owned objects, at any depth.
    func changeOwned(_ changes: ObjectChanges, _ owner: RawID, _ table: StoredTable) throws {
        for change in changes.links {
            let link = table.links[change.relationship]
            for place in change.places { try put(link, owner, place.position, place.id) }
            try run(
                "DELETE FROM \(link.quotedName) WHERE \(link.quotedOwner) = ? AND position >= ?",
                [.id(owner), .integer(Int64(change.count))])
        }
        for change in changes.children {
            let child = table.children[change.relationship]
            switch change.kind {
            case .delete: continue
            case .insert(let object, let position): try insert(object, of: owner, position, child)
            case .update(let position, let changes):
                try update(change.id, of: owner, position, changes.columns, child)
                try changeOwned(changes, change.id, child)
            }
        }
    }

    private func update(
        _ id: RawID, of owner: RawID, _ position: Int?, _ columns: [ColumnChange], _ table: StoredTable
    ) throws {
        let assignments = table.assignments(columns) + (position == nil ? [] : ["position = ?"])
        guard !assignments.isEmpty, let ownerColumn = table.owner?.quotedDatabaseIdentifier else { return }
        try run(
            """
            UPDATE \(table.quotedName) SET \(assignments.joined(separator: ", ")) WHERE id = ? AND \(ownerColumn) = ?
            """,
            columns.map(\.value) + (position.map { [.integer(Int64($0))] } ?? []) + [.id(id), .id(owner)])
    }
}
