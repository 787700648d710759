internal import LarderData
internal import LarderDomain

/// Checks what SQLite does not know of a database: the positions in lists, the rows of the journal, and the indexes.
struct SQLiteIntegrity {
    /// The maximum number of problems of each list, and of the journal.
    private static let limit = 100

    let connection: SQLiteConnection
    let plan: SQLPlan

    func problems() throws(PersistencyError) -> [String] { try positions() + journal() + indexes() }

    /// The lists whose positions are not 0, 1, 2 …
    private func positions() throws(PersistencyError) -> [String] {
        var problems: [String] = []
        for table in plan.roots.flatMap(\.table.withDescendants) {
            var lists = table.links.map { (name: $0.name, owner: $0.owner) }
            if let owner = table.owner, !table.schema.isDerived { lists.append((table.name, owner)) }
            for list in lists {
                let (owner, position) = (SQLText.quoted(list.owner), SQLText.quoted("position"))
                problems += try connection.rows(
                    "SELECT \(owner) FROM \(SQLText.quoted(list.name)) GROUP BY \(owner) HAVING min(\(position)) <> 0 "
                        + "OR max(\(position)) <> count(*) - 1 OR count(DISTINCT \(position)) <> count(*) "
                        + "LIMIT \(Self.limit)"
                ) { row in
                    let id = row.id(0).map { "\($0)" } ?? "?"
                    return "table \(list.name): the positions of \(list.owner) \(id) are not 0, 1, 2 …"
                }
            }
        }
        return problems
    }

    /// The rows of the journal that a follower could not read in order.
    private func journal() throws(PersistencyError) -> [String] {
        guard try SQLiteJournal(connection: connection).exists() else { return [] }
        let rows = try connection.uncached(
            "SELECT position, commit_id, total, changes FROM \(SQLiteJournal.table) ORDER BY position")
        guard try rows.step(), rows.integer(0) == 0, let lifetime = rows.id(1) else {
            return ["table \(SQLiteJournal.table): the first row is not that of the lifetime"]
        }
        var problems: [String] = []
        var last: (position: Int64, total: Int64)?
        while problems.count < Self.limit, try rows.step() {
            let (position, total) = (rows.integer(0), rows.integer(2))
            if let last, position != last.position + 1 || total < last.total {
                problems.append("table \(SQLiteJournal.table): row \(position) does not continue row \(last.position)")
            }
            last = (position, total)
            // A row without changes stands for a gap.
            guard case .blob(let bytes) = rows.value(3, .blob) else { continue }
            let token = ChangeToken(lifetime: lifetime.high, position: position)
            guard let id = rows.id(1), (try? JournalCodec.commit(bytes, token: token, id: CommitID(id))) != nil else {
                problems.append("table \(SQLiteJournal.table): row \(position) is malformed")
                continue
            }
        }
        return problems
    }

    /// The declared indexes that do not exist, unless the database awaits a migration.
    private func indexes() throws(PersistencyError) -> [String] {
        let migration = SQLiteMigration(connection: connection, plan: plan)
        guard try migration.pending().isEmpty else { return [] }
        return try migration.missingIndexes().map {
            "table \($0.table): the index \($0.name) is missing; the next opening for writing creates it"
        }
    }
}
