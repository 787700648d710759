#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The table `larder_journal`: a row for each retained commit, by the number of its transaction. `changes` is `NULL` in a
/// row that stands for a gap. Row 0 is always retained: its `commit_id` identifies the lifetime of the tokens, and its
/// `size` is the position of the last removed row.
///
/// A transaction that saw the writes of another one has a greater number, because it is at least `repeatable read` and
/// takes its number after its snapshot. Readers skip the numbers from that of the oldest running transaction on, so each
/// sees all commits in the same order, without gaps that a later commit would fill.
struct PostgresJournal {
    struct Page: Sendable {
        let lifetime: UInt64
        /// The position up to which commits were removed.
        let removed: Int64
        /// The commits in order; `nil` for a row without changes.
        var commits: [(position: Int64, commit: CommittedChanges?)] = []
    }

    static let table = "larder_journal"
    /// The oldest running transaction of the statement's snapshot.
    static let horizon = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
    let connection: PostgresConnection

    static func create(on connection: PostgresConnection) throws(PersistencyError) {
        try connection.execute(
            "CREATE TABLE \(table) (position bigint PRIMARY KEY, commit_id uuid NOT NULL, committed_at bigint NOT NULL, "
                + "size bigint NOT NULL, changes bytea)")
        try connection.execute("CREATE INDEX \(table)_commit_id ON \(table) (commit_id)")
        let lifetime = RawID(high: .random(in: .min ... .max), low: 0)
        try connection.run(
            "INSERT INTO \(table) VALUES (0, $1::uuid, $2::bigint, 0, NULL)",
            [.id(lifetime), .integer(Timestamp.now().microseconds)])
    }

    /// Appends the commit of a change set to the running transaction, and lets others wait for its outcome.
    ///
    /// - Parameter position: Receives the position of the commit.
    static func append(_ changes: ChangeSet, _ position: Box<Int64>) -> PostgresStep {
        let commit = CommittedChanges(token: ChangeToken(lifetime: 0, position: 0), of: changes)
        return PostgresStep(
            "INSERT INTO \(table) SELECT pg_current_xact_id()::text::bigint, $1::uuid, $2::bigint, $3::bigint, $4::bytea "
                + "FROM pg_advisory_xact_lock($5::bigint) RETURNING position",
            [
                .id(changes.id.rawValue), .integer(Timestamp.now().microseconds), .integer(Int64(commit.size)),
                .blob(JournalCodec.bytes(of: commit)), .integer(changes.id.lockKey),
            ]
        ) { (result) throws(PersistencyError) in
            if result.advance() { position.value = result.integer(0) }
        }
    }

    /// Appends a gap to the running transaction: the schemas have changed, and not only by additions.
    static func noteSchemaChange(on connection: PostgresConnection, at time: Timestamp) throws(PersistencyError) {
        try connection.run(
            "INSERT INTO \(table) VALUES (pg_current_xact_id()::text::bigint, $1::uuid, $2::bigint, 1, NULL)",
            [.id(CommitID().rawValue), .integer(time.microseconds)])
    }

    /// Removes the oldest rows that exceed the bounds, but not the last one, in a transaction of its own.
    func prune(to bounds: JournalBounds) throws(PersistencyError) {
        let oldest = Timestamp.now().adding(.zero - bounds.age).microseconds
        try connection.run(
            """
            WITH rows AS (SELECT position, committed_at, sum(size) OVER (ORDER BY position DESC) - size AS newer
                FROM \(Self.table) WHERE position > 0 AND position < \(Self.horizon)),
            last AS (SELECT coalesce(max(position), 0) AS position FROM rows
                WHERE (newer >= $1::bigint OR committed_at < $2::bigint) AND newer > 0),
            removed AS (DELETE FROM \(Self.table) AS j USING last WHERE j.position > 0 AND j.position <= last.position)
            UPDATE \(Self.table) AS j SET size = greatest(j.size, last.position) FROM last
                WHERE j.position = 0 AND last.position > 0
            """,
            [.integer(Int64(bounds.changes)), .integer(oldest)])
    }

    /// Up to a number of commits after a position, in one snapshot.
    func page(after position: Int64, limit: Int) throws(PersistencyError) -> Page {
        let rows = try connection.run(
            "SELECT position, commit_id, changes, size FROM \(Self.table) WHERE position = 0 "
                + "OR position > $1::bigint AND position < \(Self.horizon) ORDER BY position LIMIT $2::bigint",
            [.integer(max(position, 0)), .integer(Int64(limit) + 1)])
        guard rows.advance() else { throw .malformed("the journal of the database was removed") }
        var page = Page(lifetime: try rows.id(1).high, removed: rows.integer(3))
        while rows.advance() {
            let token = ChangeToken(lifetime: page.lifetime, position: rows.integer(0))
            var commit: CommittedChanges?
            // A malformed row is a gap, like a row without changes.
            if case .blob(let bytes) = rows.value(2, .blob) {
                commit = try? JournalCodec.commit(bytes, token: token, id: CommitID(rows.id(1)))
            }
            page.commits.append((token.position, commit))
        }
        return page
    }

    /// The last position that readers see, and the stored commits after it.
    func end() throws(PersistencyError) -> End {
        let rows = try connection.run(
            "SELECT position, commit_id, (SELECT max(position) FROM \(Self.table) WHERE position < \(Self.horizon)) "
                + "FROM \(Self.table) WHERE position = 0 OR position >= \(Self.horizon) ORDER BY position")
        guard rows.advance() else { throw .malformed("the journal of the database was removed") }
        var end = End(lifetime: try rows.id(1).high, position: rows.integer(2))
        while rows.advance() { end.later.insert(rows.integer(0)) }
        return end
    }

    struct End: Sendable {
        let lifetime: UInt64
        let position: Int64
        var later: Set<Int64> = []
        var newest: Int64 { later.max() ?? position }
    }

    /// The outcome of a commit and, if it is stored, its position. Waits while its transaction is running, also if its
    /// client was lost.
    ///
    /// - Parameter time: Transactions of older commits have begun.
    func find(
        _ id: CommitID, begunBefore time: Timestamp
    ) throws(PersistencyError) -> (outcome: CommitOutcome, position: Int64?) {
        try connection.run(
            "SELECT pg_advisory_lock($1::bigint), pg_advisory_unlock($1::bigint)", [.integer(id.lockKey)])
        let warnings = connection.notices.warnings
        // A server that has crashed shows commits again that no synchronous replica has. The lock of the row is a write,
        // after which the server waits for the replica.
        let found = try connection.run(
            "SELECT position FROM \(Self.table) WHERE commit_id = $1::uuid AND position > 0 FOR SHARE",
            [.id(id.rawValue)])
        guard connection.notices.warnings == warnings else { throw .malformed(PostgresCommit.isNotReplicated) }
        if found.advance() { return (.stored, found.integer(0)) }
        let completeSince = try completeSince()
        return (CommitOutcome(of: id, isRetained: false, completeSince: completeSince, openedAt: time), nil)
    }

    private func completeSince() throws(PersistencyError) -> Timestamp {
        let rows = try connection.run(
            "SELECT position, size, committed_at FROM \(Self.table) ORDER BY position LIMIT 2")
        guard rows.advance() else { throw .malformed("the journal of the database was removed") }
        let (removed, start) = (rows.integer(1), Timestamp(microseconds: rows.integer(2)))
        if removed == 0 { return start }
        guard rows.advance() else { return .now() }
        return Timestamp(microseconds: rows.integer(2)).adding(CommitOutcome.clockTolerance)
    }
}
#endif
