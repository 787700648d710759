package import LarderData
package import LarderDomain

/// The statements that remove references to some targets from all aggregates. The targets are bound as one value, to the
/// given parameter or to the first.
package struct SQLRemoval {
    package let reference: IncomingReference
    /// The tables from the root to the referring objects.
    private let tables: [SQLTable]
    private let dialect: any SQLDialect
    /// The offset that is subtracted from the positions of links before they are deleted.
    private static let parked = 1 << 40

    /// - Parameter root: The table of the reference's root schema.
    package init(_ reference: IncomingReference, _ root: SQLTable, _ dialect: any SQLDialect) {
        (self.reference, self.dialect) = (reference, dialect)
        tables = reference.path.reduce(into: [root]) { tables, list in
            if let owner = tables.last { tables.append(owner.children[list]) }
        }
    }

    /// Selects the ids of the roots of referring aggregates.
    func roots(targets parameter: Int) -> String {
        let list = dialect.ids(parameter)
        var selection =
            switch member {
            case .column(let table, let column):
                "SELECT \(SQLText.quoted("id")) FROM \(table) WHERE \(column) IN (\(list))"
            case .link(let link):
                "SELECT \(link.owner) FROM \(link.table) WHERE \(link.target) IN (\(list))"
            }
        for table in tables.dropFirst().reversed() {
            guard let owner = table.owner else { continue }
            selection =
                "SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(table.name)) "
                + "WHERE \(SQLText.quoted("id")) IN (\(selection))"
        }
        return selection
    }

    /// Sets columns to null, or deletes links. (targets)
    package var remove: String {
        switch member {
        case .column(let table, let column):
            "UPDATE \(table) SET \(column) = NULL WHERE \(column) IN (\(list))"
        case .link(let link): "DELETE FROM \(link.table) WHERE \(link.target) IN (\(list))"
        }
    }

    /// Moves removed links to negative positions if remaining links follow in the list; `nil` for columns. (targets)
    package var park: String? {
        guard case .link(let link) = member else { return nil }
        return "UPDATE \(link.table) SET position = position - \(Self.parked) "
            + "WHERE \(link.target) IN (\(list)) AND EXISTS (SELECT 1 FROM \(link.table) AS later "
            + "WHERE later.\(link.owner) = \(link.table).\(link.owner) AND later.position > \(link.table).position "
            + "AND later.\(link.target) NOT IN (\(list)))"
    }

    /// Moves the following links to their new positions, in two steps: the position is part of the key, and the order
    /// of updates is undefined. In between, new position *n* is stored as -1 - *n*. (targets)
    package var closeGaps: [String] {
        guard case .link(let link) = member else { return [] }
        let lists =
            "\(link.owner) IN (SELECT \(link.owner) FROM \(link.table) "
            + "WHERE \(link.target) IN (\(list)) AND position < 0)"
        func parked(_ value: String, _ condition: String) -> String {
            "(SELECT \(value) FROM \(link.table) AS gone WHERE gone.\(link.owner) = \(link.table).\(link.owner) AND \(condition))"
        }
        let before = parked("count(*)", "gone.position < \(link.table).position - \(Self.parked)")
        let first = parked("min(gone.position) + \(Self.parked)", "gone.position < 0")
        return [
            "UPDATE \(link.table) SET position = \(before) - position - 1 "
                + "WHERE \(lists) AND position > \(first) AND \(link.target) NOT IN (\(list))",
            "UPDATE \(link.table) SET position = -1 - position "
                + "WHERE \(lists) AND position < 0 AND position > \(-Self.parked / 2)",
        ]
    }

    /// Increments the version of each root that some removals affect. (ids of excluded roots, targets of the first
    /// removal, of the second, …)
    package static func raise(_ removals: [SQLRemoval], _ root: SQLTable, _ dialect: any SQLDialect) -> String {
        let affected = removals.enumerated().map { $1.roots(targets: $0 + 2) }
        let (id, version) = (SQLText.quoted("id"), SQLText.quoted("version"))
        return "UPDATE \(SQLText.quoted(root.name)) SET \(version) = \(version) + 1 "
            + "WHERE \(id) IN (\(affected.joined(separator: " UNION ALL "))) AND \(id) NOT IN (\(dialect.ids(1)))"
    }

    /// The statements that remove references from all referring aggregates without reading them. Their number depends on
    /// the number of referring columns and links, not on the number of targets or aggregates.
    package static func statements(
        of changes: ChangeSet, _ plan: SQLPlan, _ dialect: any SQLDialect
    ) throws(PersistencyError) -> [SQLQuery] {
        var queries: [SQLQuery] = []
        if changes.removals.isEmpty { return queries }
        for (name, groups) in PreparedRemovals(changes.removals).groups.sorted(by: { $0.key < $1.key }) {
            let root = try plan.table(name).table
            let removals = groups.map { SQLRemoval($0.reference, root, dialect) }
            let targets = groups.map { dialect.list($0.targets) }
            // Roots that the change set writes already have their new versions.
            let written =
                changes.updates.filter { $0.key.schema.name == name }.map(\.key.id)
                + changes.inserts.filter { $0.schema.name == name }.map(\.id)
            // All versions are raised before the first removal, which deletes the values that identify referring roots.
            queries.append(SQLQuery(text: raise(removals, root, dialect), values: [dialect.list(written)] + targets))
            for (removal, targets) in zip(removals, targets) {
                let gaps = removal.park.map { [$0] + removal.closeGaps } ?? []
                queries += (gaps + [removal.remove]).map { SQLQuery(text: $0, values: [targets]) }
            }
        }
        return queries
    }

    private enum Member {
        case column(table: String, String)
        case link((table: String, owner: String, target: String))
    }

    private var member: Member {
        let table = tables[tables.count - 1]
        switch reference.member {
        case .column(let index):
            let column = SQLText.quoted(table.schema.columns[index].name)
            return .column(table: SQLText.quoted(table.name), column)
        case .link(let index):
            let link = table.links[index]
            let names = (SQLText.quoted(link.name), SQLText.quoted(link.owner), SQLText.quoted(link.targetColumn))
            return .link((table: names.0, owner: names.1, target: names.2))
        }
    }

    /// The targets.
    private var list: String { dialect.ids(1) }
}
