package import LarderData
package import LarderDomain

/// Checks the unique values of stored roots.
package struct SQLUniqueCheck<Session: SQLMigrationSession> {
    private let session: Session
    /// The number of objects with the same values that an error names.
    private let named = 3

    package init(_ session: Session) { self.session = session }

    /// Throws `incompatible` for rows that share values of a group that a plan adds, or whose values it may have changed.
    /// The error lists them.
    package func check(_ pending: SchemaPlan) throws(PersistencyError) {
        let added = pending.actions.flatMap(\.added)
        let new = Set(added.filter { $0.kind == .entity }.map(\.entity))
        let changed = Set(pending.steps.flatMap { [$0.entity] + $0.creates.map(\.name) }).union(pending.derived)
        for schema in pending.declared.roots where !new.contains(schema.name) {
            for group in schema.uniques {
                let name = schema.name(of: group)
                let isAdded = added.contains { ($0.entity, $0.kind, $0.name) == (schema.name, .unique, name) }
                if isAdded || changed.contains(schema.name) { try check(group, of: schema) }
            }
        }
    }

    private func check(_ group: [Int], of schema: EntitySchema) throws(PersistencyError) {
        let (id, table) = (SQLText.quoted("id"), SQLText.quoted(schema.name))
        let same = group.map { SQLText.quoted(schema.columns[$0].name) }.map { "other.\($0) = this.\($0)" }
        let others =
            "SELECT other.\(id) FROM \(table) AS this JOIN \(table) AS other ON \(same.joined(separator: " AND ")) "
            + "WHERE this.\(id) = \(session.dialect.placeholder(1, .id)) ORDER BY other.\(id) LIMIT \(named)"
        var groups: [String] = []
        for (first, count) in try duplicates(of: group, in: schema, limit: PersistencyError.listedCollisions + 1) {
            let ids = try session.rows(others, [.id(first)], [.id]).map { row in
                if case .id(let id) = row[0] { id.description } else { "" }
            }
            let rest = count - ids.count
            groups.append(ids.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
        }
        if !groups.isEmpty { throw .collisions(of: schema.name, in: schema.name(of: group), groups) }
    }

    /// The lowest ids of roots with the same values, and their numbers.
    package func duplicates(
        of group: [Int], in schema: EntitySchema, limit: Int = 1
    ) throws(PersistencyError) -> [(id: RawID, count: Int)] {
        let columns = group.map { SQLText.quoted(schema.columns[$0].name) }
        let rows = try session.rows(
            "SELECT \(session.dialect.lowest(SQLText.quoted("id"))), count(*) FROM \(SQLText.quoted(schema.name)) WHERE "
                + columns.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT \(limit)",
            [], [.id, .integer])
        return rows.compactMap { row in
            if case .id(let id) = row[0], case .integer(let count) = row[1] { (id, Int(count)) } else { nil }
        }
    }
}

extension PersistencyError {
    /// The number of groups of equal values that an error lists.
    static let listedCollisions = 50

    /// The refusal of stored roots that have the same values.
    package static func collisions(of entity: String, in columns: String, _ groups: [String]) -> PersistencyError {
        let listed = groups.prefix(listedCollisions).joined(separator: "; ")
        let rest = groups.count > listedCollisions ? "; and more" : ""
        return .incompatible(
            "objects of \(entity) have the same \(columns), which must be unique: \(listed)\(rest): "
                + "change or delete them first")
    }
}
