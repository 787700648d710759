#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// One attempt to commit a change set, in one transaction on one connection.
struct PostgresCommit {
    /// The outcome of an attempt.
    enum Result: Sendable {
        /// The position of the commit, and the number of roots that its bulk update has changed.
        case committed(Int64, bulkCount: Int = 0)
        /// The connection was lost after the statement that commits was sent. With a process, the server may not have begun
        /// the transaction, and may still begin it in this process.
        case inDoubt(Unavailable, PostgresBackend?, bulkCount: Int = 0)
    }

    static let isNotReplicated = "the wait for a synchronous replica was cut short: the commit is not replicated yet"

    let connection: PostgresConnection
    let plan: SQLPlan
    let changes: ChangeSet
    /// The lifetime of the store's tokens.
    let lifetime: UInt64
    private let bulkCount = Box(0)

    /// - Throws: If nothing was stored. A serialization failure or a deadlock is `contention`.
    func run() throws(PersistencyError) -> Result { try run(judging: !changes.isOneUpdate) }

    /// - Parameters:
    ///   - judging: Whether versions are judged first. An update of one root finds the expected version, or fails, and is
    ///     then repeated, to find the version in conflict.
    ///   - copying: Whether many rows are copied. If an id exists, the commit is repeated, to find it.
    private func run(judging: Bool, copying: Bool = true) throws(PersistencyError) -> Result {
        let isLost = Box(false)
        do throws(PersistencyError) {
            let begin = PostgresStep("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let writer = PostgresChangeWriter(plan: plan, changes: changes, isLost: isLost, bulkCount: bulkCount)
            let steps = try writer.steps(judging: judging, copying: copying)
            try connection.run([begin] + steps)
        } catch {
            rollBack()
            if isLost.value, !judging { return try run(judging: true) }
            if copying, error.postgresError?.state == "23505" { return try run(judging: judging, copying: false) }
            throw plan.dangling(error) ?? error
        }
        // The journal is written with `COMMIT`, so that no client delays the commits that follow in it.
        let isCommitted = Box(false)
        let end = PostgresStep("COMMIT") { result in isCommitted.value = result.command == "COMMIT" }
        let (position, warnings) = (Box<Int64>(0), connection.warnings)
        do throws(PersistencyError) {
            try connection.run([PostgresJournal.append(changes, bulkCount.value, to: lifetime, position), end])
            guard isCommitted.value else { throw .contention("the transaction was rolled back") }
        } catch {
            rollBack()
            guard let cause = error.postgresError else { throw error }
            if cause.isDisconnection { return .inDoubt(cause.unavailable, nil, bulkCount: bulkCount.value) }
            throw cause.refusalOfJournal ?? plan.dangling(error) ?? error
        }
        guard connection.warnings == warnings else {
            throw .inDoubt(changes.id, Unavailable(.failed, Self.isNotReplicated))
        }
        return .committed(position.value, bulkCount: bulkCount.value)
    }

    private func rollBack() {
        if connection.isBroken || !connection.isInTransaction { return }
        _ = try? connection.execute("ROLLBACK")
    }
}

extension PostgresError {
    /// The reason why the journal has refused a row.
    var refusalOfJournal: PersistencyError? {
        switch (table, state) {
        // Another transaction has settled the position.
        case (PostgresJournal.table, "23505"): .contention("\(self)")
        case (PostgresJournal.table, "23514"): .replaced
        default: nil
        }
    }
}

extension ChangeSet {
    /// Whether it only updates columns of one root.
    var isOneUpdate: Bool {
        reads.isEmpty && inserts.isEmpty && deletes.isEmpty && removals.isEmpty && bulk == nil && updates.count == 1
            && !updates[0].changes.columns.isEmpty
    }
}

extension CommitID {
    /// The key of the lock of a commit.
    var lockKey: Int64 { Int64(bitPattern: rawValue.high ^ rawValue.low) }
}
#endif
