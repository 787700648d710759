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
        /// The connection was lost after `COMMIT` was sent, or an earlier position was not settled in time.
        case inDoubt(Unavailable)
    }

    static let isNotReplicated = "the wait for a synchronous replica was cut short: the commit is not replicated yet"

    let connection: PostgresConnection
    let plan: PostgresPlan
    let changes: ChangeSet
    let settlement: PostgresSettlement
    /// The lifetime of the store's tokens.
    let lifetime: UInt64

    /// - Throws: If nothing was stored. A serialization failure or a deadlock is `contention`.
    func run() throws(PersistencyError) -> Result { try run(judging: !changes.isOneUpdate) }

    /// - Parameter judging: Whether versions are judged first. An update of one root finds the expected version, or fails,
    ///   and is then repeated, to find the version in conflict.
    private func run(judging: Bool) throws(PersistencyError) -> Result {
        let isLost = Box(false)
        do throws(PersistencyError) {
            let begin = PostgresStep("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let writer = PostgresChangeWriter(plan: plan, changes: changes, isLost: isLost)
            let steps = try writer.steps(judging: judging)
            try connection.run([begin] + steps)
        } catch {
            rollBack()
            if isLost.value, !judging { return try run(judging: true) }
            throw plan.dangling(error) ?? error
        }
        return try commit()
    }

    /// The journal is written with `COMMIT`, so that no client delays the commits that follow in it.
    private func commit() throws(PersistencyError) -> Result {
        let (position, isCommitted, warnings) = (Box<Int64>(0), Box(false), connection.notices.warnings)
        let end = PostgresStep("COMMIT") { result in isCommitted.value = result.command == "COMMIT" }
        do throws(PersistencyError) {
            try connection.run([PostgresJournal.append(changes, to: lifetime, position), end])
        } catch {
            rollBack()
            guard let cause = error.postgresError else { throw error }
            if cause.isDisconnection { return .inDoubt(cause.unavailable) }
            switch (cause.table, cause.state) {
            // Another transaction has settled the position.
            case (PostgresJournal.table, "23505"): throw .contention("\(cause)")
            case (PostgresJournal.table, "23502"):
                throw .malformed("a restore has replaced the store since it was opened: open it again")
            default: throw plan.dangling(error) ?? error
            }
        }
        guard isCommitted.value else { throw .contention("the transaction was rolled back") }
        if connection.notices.warnings > warnings {
            throw .inDoubt(changes.id, Unavailable(.failed, Self.isNotReplicated))
        }
        do throws(PersistencyError) {
            let settled = settlement.note(position.value)
            if settled < position.value {
                try PostgresJournal(connection: connection).settle(after: settled, before: position.value)
                settlement.note(upTo: position.value)
            }
            return .committed(position.value)
        } catch {
            guard case .unavailable(let cause) = error else { throw error }
            return .inDoubt(cause)
        }
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
