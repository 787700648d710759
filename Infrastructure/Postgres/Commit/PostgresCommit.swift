#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// One attempt to commit a change set, in one transaction on one connection.
struct PostgresCommit {
    /// The outcome of an attempt.
    enum Result: Sendable {
        /// The position of the commit.
        case committed(Int64)
        /// The connection was lost after `COMMIT` was sent.
        case inDoubt(Unavailable)
    }

    static let isNotReplicated = "the wait for a synchronous replica was cut short: the commit is not replicated yet"

    let connection: PostgresConnection
    let plan: PostgresPlan
    let changes: ChangeSet

    /// - Throws: If nothing was stored. A serialization failure or a deadlock is `contention`.
    func run() throws(PersistencyError) -> Result { try run(judging: !changes.isOneUpdate) }

    /// - Parameter judging: Whether versions are judged first. An update of one root finds the expected version, or fails,
    ///   and is then repeated, to find the version in conflict.
    private func run(judging: Bool) throws(PersistencyError) -> Result {
        let (position, isLost) = (Box<Int64>(0), Box(false))
        do throws(PersistencyError) {
            let begin = PostgresStep("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let writer = PostgresChangeWriter(plan: plan, changes: changes, isLost: isLost)
            let steps = try writer.steps(judging: judging)
            try connection.run([begin] + steps + [PostgresJournal.append(changes, position)])
        } catch {
            rollBack()
            if isLost.value, !judging { return try run(judging: true) }
            throw plan.dangling(error) ?? error
        }
        return try commit(position.value)
    }

    private func commit(_ position: Int64) throws(PersistencyError) -> Result {
        let warnings = connection.notices.warnings
        do throws(PersistencyError) {
            let command = try connection.execute("COMMIT").command
            guard command == "COMMIT" else { throw .contention("the transaction was rolled back") }
        } catch {
            rollBack()
            guard let cause = error.postgresError, cause.isDisconnection else { throw plan.dangling(error) ?? error }
            return .inDoubt(cause.unavailable)
        }
        if connection.notices.warnings > warnings {
            throw .inDoubt(changes.id, Unavailable(.failed, Self.isNotReplicated))
        }
        return .committed(position)
    }

    private func rollBack() {
        if connection.isBroken || !connection.isInTransaction { return }
        _ = try? connection.execute("ROLLBACK")
    }
}

extension ChangeSet {
    /// Whether it only updates columns of one root.
    fileprivate var isOneUpdate: Bool {
        reads.isEmpty && inserts.isEmpty && deletes.isEmpty && removals.isEmpty && updates.count == 1
            && !updates[0].changes.columns.isEmpty
    }
}

extension CommitID {
    /// The key of the lock of a commit.
    var lockKey: Int64 { Int64(bitPattern: rawValue.high ^ rawValue.low) }
}
#endif
