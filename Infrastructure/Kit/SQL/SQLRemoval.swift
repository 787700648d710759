internal import LarderData
internal import LarderDomain

/// The statements that remove references to some targets from all aggregates. The targets are bound as packed ids, to
/// the given parameter or to `?1`.
struct SQLRemoval {
    let reference: IncomingReference
    /// The tables from the root to the referring objects.
    private let tables: [SQLTablePlan]
    /// The offset that is subtracted from the positions of links before they are deleted.
    private static let parked = 1 << 40

    /// - Parameter root: The plan of the reference's root schema.
    init(_ reference: IncomingReference, _ root: SQLTablePlan) {
        self.reference = reference
        tables = reference.path.reduce(into: [root]) { tables, list in
            if let owner = tables.last { tables.append(owner.children[list]) }
        }
    }

    /// Selects the ids of the roots of referring aggregates.
    func roots(targets parameter: String) -> String {
        let list = Self.list(parameter)
        var selection =
            switch member {
            case .column(let table, let column):
                "SELECT \(SQLText.quoted("id")) FROM \(table) WHERE \(column) IN (\(list))"
            case .link(let link):
                "SELECT \(link.owner) FROM \(link.table) WHERE \(link.target) IN (\(list))"
            }
        for plan in tables.dropFirst().reversed() {
            guard let owner = plan.table.owner else { continue }
            selection =
                "SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(plan.table.name)) "
                + "WHERE \(SQLText.quoted("id")) IN (\(selection))"
        }
        return selection
    }

    /// Sets columns to null, or deletes links. (targets)
    var remove: String {
        switch member {
        case .column(let table, let column):
            "UPDATE \(table) SET \(column) = NULL WHERE \(column) IN (\(Self.list("?1")))"
        case .link(let link): "DELETE FROM \(link.table) WHERE \(link.target) IN (\(Self.list("?1")))"
        }
    }

    /// Moves removed links to negative positions if remaining links follow in the list; `nil` for columns. (targets)
    var park: String? {
        guard case .link(let link) = member else { return nil }
        return "UPDATE \(link.table) AS this SET position = position - \(Self.parked) "
            + "WHERE \(link.target) IN (\(Self.list("?1"))) AND EXISTS (SELECT 1 FROM \(link.table) AS later "
            + "WHERE later.\(link.owner) = this.\(link.owner) AND later.position > this.position "
            + "AND later.\(link.target) NOT IN (\(Self.list("?1"))))"
    }

    /// Moves the following links to their new positions, in two steps: the position is part of the key, and the order
    /// of updates is undefined. In between, new position *n* is stored as -1 - *n*. (targets)
    var closeGaps: [String] {
        guard case .link(let link) = member else { return [] }
        let lists =
            "\(link.owner) IN (SELECT \(link.owner) FROM \(link.table) "
            + "WHERE \(link.target) IN (\(Self.list("?1"))) AND position < 0)"
        func parked(_ value: String, _ condition: String) -> String {
            "(SELECT \(value) FROM \(link.table) AS gone WHERE gone.\(link.owner) = this.\(link.owner) AND \(condition))"
        }
        let before = parked("count(*)", "gone.position < this.position - \(Self.parked)")
        let first = parked("min(gone.position) + \(Self.parked)", "gone.position < 0")
        return [
            "UPDATE \(link.table) AS this SET position = \(before) - position - 1 "
                + "WHERE \(lists) AND position > \(first) AND \(link.target) NOT IN (\(Self.list("?1")))",
            "UPDATE \(link.table) SET position = -1 - position "
                + "WHERE \(lists) AND position < 0 AND position > \(-Self.parked / 2)",
        ]
    }

    /// Increments the version of each root that some removals affect. (ids of excluded roots, targets of the first
    /// removal, of the second, …)
    static func raise(_ removals: [SQLRemoval], _ root: SQLTablePlan) -> String {
        let affected = removals.enumerated().map { $1.roots(targets: "?\($0 + 2)") }
        let (id, version) = (SQLText.quoted("id"), SQLText.quoted("version"))
        return "UPDATE \(SQLText.quoted(root.table.name)) SET \(version) = \(version) + 1 "
            + "WHERE \(id) IN (\(affected.joined(separator: " UNION ALL "))) AND \(id) NOT IN (\(list("?1")))"
    }

    private enum Member {
        case column(table: String, String)
        case link((table: String, owner: String, target: String))
    }

    private var member: Member {
        let plan = tables[tables.count - 1]
        switch reference.member {
        case .column(let index):
            let column = SQLText.quoted(plan.schema.columns[index].name)
            return .column(table: SQLText.quoted(plan.table.name), column)
        case .link(let index):
            let link = plan.table.links[index]
            let names = (SQLText.quoted(link.name), SQLText.quoted(link.owner), SQLText.quoted(link.targetColumn))
            return .link((table: names.0, owner: names.1, target: names.2))
        }
    }

    private static func list(_ parameter: String) -> String {
        let ids = SQLPackedIDs(placeholder: parameter)
        return "\(ids.with) SELECT \(ids.id) FROM ids"
    }
}
