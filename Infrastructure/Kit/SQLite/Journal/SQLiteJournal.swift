internal import LarderData
internal import LarderDomain

/// The table `larder_journal`: a row for each retained commit, by position. `changes` is `NULL` in a row that stands for
/// a gap. Row 0 is always retained: its `commit_id` identifies the lifetime of the tokens.
struct SQLiteJournal {
    /// The lifetime of the tokens, the last commit, and the number of changes up to it.
    struct Head {
        let lifetime: UInt64
        var position: Int64
        var total: Int64
    }

    struct Page {
        let lifetime: UInt64
        /// The last position, also that of a row without a commit.
        var newest: Int64
        var commits: [CommittedChanges] = []
    }

    static let table = "larder_journal"
    /// Its number is before those of a plan.
    private static let insertion = SQLStatementText(number: 7, text: "INSERT INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5)")
    /// Commits between two removals of old rows.
    private static let pruning: Int64 = 256
    let connection: SQLiteConnection

    /// Creates a missing table, or drops it: a journal that lacks commits must not be continued.
    func prepare(isKept: Bool) throws(PersistencyError) {
        if try exists() == isKept { return }
        guard isKept else { return try connection.execute("DROP TABLE \(Self.table)") }
        try connection.transaction(writes: true) { () throws(PersistencyError) in
            try connection.execute(
                "CREATE TABLE \(Self.table) (position INTEGER PRIMARY KEY, commit_id BLOB NOT NULL, "
                    + "committed_at INTEGER NOT NULL, total INTEGER NOT NULL, changes BLOB)"
                    + SQLiteLibrary.options(["STRICT"]))
            try insert(0, .lifetime, .now(), total: 0, nil)
        }
    }

    /// Whether the table exists.
    func exists() throws(PersistencyError) -> Bool {
        try connection.has(Self.table)
    }

    /// The state of the journal; `nil` without one.
    func headIfAny() throws(PersistencyError) -> Head? { try exists() ? head() : nil }

    /// The state of the journal; the table must exist.
    func head() throws(PersistencyError) -> Head {
        let last = try connection.statement(
            "SELECT (SELECT commit_id FROM \(Self.table) WHERE position = 0), position, total FROM \(Self.table) "
                + "ORDER BY position DESC LIMIT 1")
        let row = try last.first([]) { ($0.id(0), $0.integer(1), $0.integer(2)) }
        guard case (let lifetime?, let position, let total)? = row else {
            throw .incompatible("the journal of the database has no lifetime; drop the table \(Self.table)")
        }
        return Head(lifetime: lifetime.high, position: position, total: total)
    }

    /// Inserts the row of a commit, and removes old rows from time to time. Runs in the transaction of the commit.
    func append(
        _ commit: CommittedChanges, at time: Timestamp, total: Int64, _ bounds: JournalBounds, readers: [EntitySchema]
    ) throws(PersistencyError) {
        let position = commit.token.position
        try insert(position, commit.id.rawValue, time, total: total, JournalCodec.bytes(of: commit))
        guard position % Self.pruning == 0 else { return }
        try prune(
            to: bounds, before: commit.token, total: total, time, read: readCommit(readers, commit.token.lifetime))
    }

    /// Replaces all rows by a gap: the names of entities in them may have changed.
    func noteSchemaChange(at time: Timestamp) throws(PersistencyError) {
        guard let head = try headIfAny() else { return }
        try connection.execute("DELETE FROM \(Self.table) WHERE position > 0")
        try insert(head.position + 1, RawID(high: 0, low: 0), time, total: head.total, nil)
    }

    private func insert(
        _ position: Int64, _ id: RawID, _ time: Timestamp, total: Int64, _ changes: [UInt8]?
    ) throws(PersistencyError) {
        let changes = changes.map(Value.blob) ?? .null
        try connection.statement(Self.insertion).run([
            .integer(position), .id(id), .integer(time.microseconds), .integer(total), changes,
        ])
    }

    /// Removes the oldest rows that exceed the bounds, but not the last one.
    ///
    /// - Parameter read: The last commit that all readers with a stored position have read.
    private func prune(
        to bounds: JournalBounds, before newest: ChangeToken, total: Int64, _ time: Timestamp, read: Int64
    ) throws(PersistencyError) {
        let oldest = time.adding(.zero - bounds.age).microseconds
        let isRetained = "?2 - total < ?3 OR position > ?5 AND ?2 - total < ?6"
        let first = "position = ?1 OR committed_at >= ?4 AND (\(isRetained))"
        let text =
            "DELETE FROM \(Self.table) WHERE position > 0 AND position < "
            + "(SELECT min(position) FROM \(Self.table) WHERE position > 0 AND (\(first)))"
        try connection.statement(text).run([
            .integer(newest.position), .integer(total), .integer(Int64(bounds.changes)), .integer(oldest),
            .integer(read), .integer(Int64(bounds.unread)),
        ])
    }

    /// The last commit that all readers have read.
    private func readCommit(_ readers: [EntitySchema], _ lifetime: UInt64) throws(PersistencyError) -> Int64 {
        var positions: [String] = []
        for schema in readers {
            guard let column = schema.journalColumn.map({ schema.columns[$0].name }) else { continue }
            let rows = try connection.statement(
                "SELECT \(SQLText.quoted(column)) FROM \(SQLText.quoted(schema.name))")
            defer { rows.finish() }
            while try rows.step() {
                if case .text(let text) = rows.value(0, .text) { positions.append(text) }
            }
        }
        return JournalBounds.read(positions, lifetime: lifetime)
    }
}

// For readers, also in other processes.
extension SQLiteJournal {
    /// Up to a number of commits after a position, in one snapshot.
    func page(after position: Int64, limit: Int) throws(PersistencyError) -> Page {
        let columns = "SELECT position, commit_id, changes FROM \(Self.table) WHERE position"
        let rows = try connection.statement(
            "\(columns) = 0 UNION ALL SELECT * FROM (\(columns) > max(?1, 0) ORDER BY position LIMIT ?2)")
        defer { rows.finish() }
        try rows.bind([.integer(position), .integer(Int64(limit))], from: 1)
        guard try rows.step(), let lifetime = rows.id(1)?.high else {
            throw .failed("the journal of the database was removed")
        }
        var page = Page(lifetime: lifetime, newest: position)
        while try rows.step() {
            page.newest = rows.integer(0)
            let token = ChangeToken(lifetime: lifetime, position: page.newest)
            // A malformed row is a gap, like a row without changes.
            guard let id = rows.id(1), case .blob(let bytes) = rows.value(2, .blob),
                let commit = try? JournalCodec.commit(bytes, token: token, id: CommitID(id))
            else { continue }
            page.commits.append(commit)
        }
        return page
    }

    /// The outcome of a commit before the store was opened; without a time of opening, other processes may write.
    func outcome(of id: CommitID, before opening: Timestamp?) throws(PersistencyError) -> CommitOutcome {
        let found = try connection.statement("SELECT 1 FROM \(Self.table) WHERE commit_id = ?1 AND position > 0")
        let isRetained = try found.first([.id(id.rawValue)]) { _ in true } ?? false
        guard !isRetained, let opening else { return isRetained ? .stored : .unknown }
        return CommitOutcome(of: id, isRetained: false, completeSince: try completeSince(), openedAt: opening)
    }

    private func completeSince() throws(PersistencyError) -> Timestamp {
        let dropped =
            try connection.integer(
                "SELECT coalesce(min(position), 1) > 1 FROM \(Self.table) WHERE position > 0") != 0
        let time = try connection.integer(
            "SELECT committed_at FROM \(Self.table) WHERE position >= \(dropped ? 1 : 0) ORDER BY position LIMIT 1")
        let start = Timestamp(microseconds: time)
        return dropped ? start.adding(CommitOutcome.clockTolerance) : start
    }
}

extension RawID {
    /// The id in the row of a new lifetime.
    static var lifetime: RawID { RawID(high: .random(in: .min ... .max), low: 0) }
}
