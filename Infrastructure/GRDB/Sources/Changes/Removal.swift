internal import GRDB
internal import LarderData
internal import LarderDomain

/// The removal of references to some targets from all aggregates, without reading them.
///
/// Targets and affected roots are in temporary tables of the connection, so that the statements are the same for any
/// number of them.
struct Removal {
    private let reference: IncomingReference
    /// The tables from the root to the referring objects.
    private let path: [StoredTable]
    /// The offset that is added to the positions of links before they are deleted.
    private static let parked = 1 << 40

    static func createTables(in database: Database) throws {
        for name in ["removed", "affected", "written"] {
            try database.create(table: name, options: [.temporary, .withoutRowID]) { $0.primaryKey("id", .blob) }
        }
    }

    static func apply(_ changes: ChangeSet, _ tables: [StoredTable], in database: Database) throws {
        for (name, groups) in PreparedRemovals(changes.removals).groups {
            guard let root = tables.first(where: { $0.name == name }) else {
                throw PersistencyError.unknownEntity(name)
            }
            try database.execute(sql: "DELETE FROM temp.affected")
            for (reference, targets) in groups {
                try fill("removed", targets, in: database)
                try Removal(reference, root).remove(in: database)
            }
            // Roots that the change set writes already have their new versions.
            let written =
                changes.updates.filter { $0.key.schema.name == name }.map(\.key.id)
                + changes.inserts.filter { $0.schema.name == name }.map(\.id)
            try fill("written", Set(written), in: database)
            try database.cachedStatement(
                sql: """
                    UPDATE \(root.quotedName) SET version = version + 1 \
                    WHERE id IN temp.affected AND id NOT IN temp.written
                    """
            ).execute()
        }
    }

    private static func fill(_ table: String, _ ids: Set<RawID>, in database: Database) throws {
        try database.execute(sql: "DELETE FROM temp.\(table)")
        let insert = try database.cachedStatement(sql: "INSERT INTO temp.\(table) VALUES (?)")
        for id in ids { try insert.execute(arguments: [id.stored]) }
    }

    private init(_ reference: IncomingReference, _ root: StoredTable) {
        self.reference = reference
        path = reference.path.reduce(into: [root]) { path, list in path.append(path[path.count - 1].children[list]) }
    }

    private func remove(in database: Database) throws {
        let holder = path[path.count - 1]
        switch reference.member {
        case .column(let index):
            let column = holder.schema.columns[index].name.quotedDatabaseIdentifier
            try run(affected("SELECT id FROM \(holder.quotedName) WHERE \(column) IN temp.removed"), in: database)
            try run(
                "UPDATE \(holder.quotedName) SET \(column) = NULL WHERE \(column) IN temp.removed", in: database)
        case .link(let list):
            let link = holder.links[list]
            let owners = "SELECT \(link.quotedOwner) FROM \(link.quotedName) WHERE \(link.quotedTarget) IN temp.removed"
            try run(affected(owners), in: database)
            for statement in removals(from: link, owners) { try run(statement, in: database) }
        }
    }

    private func run(_ sql: String, in database: Database) throws {
        try database.cachedStatement(sql: sql).execute()
    }

    /// Collects the roots of some holders.
    private func affected(_ holders: String) -> String {
        let roots = zip(path, path.dropFirst()).reversed().reduce(holders) { ids, step in
            "SELECT \(step.0.quotedName) FROM \(step.1.quotedName) WHERE id IN (\(ids))"
        }
        return "INSERT OR IGNORE INTO temp.affected \(roots)"
    }

    /// Deletes links, and moves the remaining ones to their new positions. The position is part of the key, so it is
    /// assigned in two steps, and the removed links move out of the way in between.
    private func removals(from link: LinkTable, _ owners: String) -> [String] {
        let (name, owner, target) = (link.quotedName, link.quotedOwner, link.quotedTarget)
        return [
            """
            UPDATE \(name) SET position = -1 - kept.rank FROM (
                SELECT \(owner) AS owner, position AS old,
                    row_number() OVER (PARTITION BY \(owner) ORDER BY position) - 1 AS rank
                FROM \(name) WHERE \(owner) IN (\(owners)) AND \(target) NOT IN temp.removed) AS kept
            WHERE \(owner) = kept.owner AND position = kept.old AND kept.rank <> kept.old
            """,
            "UPDATE \(name) SET position = position + \(Self.parked) WHERE \(target) IN temp.removed",
            "UPDATE \(name) SET position = -1 - position WHERE \(owner) IN (\(owners)) AND position < 0",
            "DELETE FROM \(name) WHERE \(target) IN temp.removed",
        ]
    }
}
