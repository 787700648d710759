internal import LarderData
internal import LarderDomain

/// Checks the data after a migration, before it commits. Errors name the first rows at fault.
struct SQLiteMigrationCheck {
    let connection: SQLiteConnection
    let plan: SQLPlan
    /// The number of references, of groups of equal values, and of objects in each group, that an error names.
    private static let named = 3

    /// Throws `incompatible` for rows that share unique values, and for references without a target.
    func check(_ pending: SchemaPlan) throws(PersistencyError) {
        let added = pending.actions.flatMap(\.added)
        let new = Set(added.filter { $0.kind == .entity }.map(\.entity))
        let changed = Set(pending.steps.flatMap { [$0.entity] + $0.creates.map(\.name) }).union(pending.derived)
        for root in plan.roots where !new.contains(root.schema.name) {
            for group in root.schema.uniques {
                let name = root.schema.name(of: group)
                let isAdded = added.contains { ($0.entity, $0.kind, $0.name) == (root.schema.name, .unique, name) }
                if isAdded || changed.contains(root.schema.name) { try checkUnique(group, of: root.schema) }
            }
        }
        try checkReferences()
    }

    private func checkUnique(_ group: [Int], of schema: EntitySchema) throws(PersistencyError) {
        let columns = group.map { SQLText.quoted(schema.columns[$0].name) }
        let (id, table) = (SQLText.quoted("id"), SQLText.quoted(schema.name))
        let repeated = try connection.statement(
            "SELECT min(\(id)), count(*) FROM \(table) WHERE "
                + columns.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT \(Self.named)")
        defer { repeated.finish() }
        var groups: [String] = []
        while try repeated.step() {
            let same = columns.map { "other.\($0) = this.\($0)" }.joined(separator: " AND ")
            let others = try connection.statement(
                "SELECT other.\(id) FROM \(table) AS this JOIN \(table) AS other ON \(same) WHERE this.\(id) = ?1 "
                    + "ORDER BY other.\(id) LIMIT \(Self.named)")
            defer { others.finish() }
            try others.bind(repeated.value(0, .id), at: 1)
            var ids: [String] = []
            while try others.step() { ids.append(others.id(0)?.description ?? "") }
            let rest = Int(repeated.integer(1)) - ids.count
            groups.append(ids.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
        }
        if groups.isEmpty { return }
        throw .incompatible(
            "objects of \(schema.name) have the same \(schema.name(of: group)), which must be unique: "
                + "\(groups.joined(separator: "; ")): change or delete them first")
    }

    /// Throws `incompatible` for a reference without a target.
    func checkReferences() throws(PersistencyError) {
        let statement = try connection.statement("PRAGMA foreign_key_check")
        defer { statement.finish() }
        guard try statement.step() else { return }
        let (table, parent, number) = (statement.text(0), statement.text(2), statement.integer(3))
        let name = try connection.foreignKeys(of: table).first { $0.number == number }?.column ?? ""
        let quoted = SQLText.quoted(name)
        let missing = try connection.statement(
            "SELECT DISTINCT hex(\(quoted)) FROM \(SQLText.quoted(table)) WHERE \(quoted) IS NOT NULL AND \(quoted) NOT IN "
                + "(SELECT \(SQLText.quoted("id")) FROM \(SQLText.quoted(parent))) LIMIT \(Self.named)")
        defer { missing.finish() }
        var ids: [String] = []
        while try missing.step() { ids.append(RawID(missing.text(0))?.description ?? missing.text(0)) }
        throw .incompatible(
            "\(table).\(name) refers to objects of \(parent) that do not exist: \(ids.joined(separator: ", "))")
    }
}
