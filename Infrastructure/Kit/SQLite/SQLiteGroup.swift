internal import LarderData
internal import LarderDomain

/// Commits change sets in one transaction with one sync. Each is validated against the state after its predecessors.
struct SQLiteGroup {
    struct Outcome {
        var results: [CommitResult]
        var committed: [CommittedChanges] = []
        var rowsWritten = 0
    }

    let connection: SQLiteConnection
    let plan: SQLPlan
    let hub: ChangeHub
    /// The bounds of the journal, and the number of changes in it and before it; `nil` without a journal.
    let journal: (bounds: JournalBounds, total: Int64)?

    func commit(_ group: [PendingCommit], after sequence: Int64) -> Outcome {
        do throws(PersistencyError) {
            try connection.beginWriting()
            let outcome = try apply(group, after: sequence)
            try record(outcome.committed)
            guard !outcome.committed.isEmpty else {
                connection.rollBack()
                return outcome
            }
            do throws(PersistencyError) {
                try connection.commit()
            } catch  where error.isDeviceError {
                // In doubt: the log may contain its pages, and recovery would apply them when the database is opened.
                connection.rollBack()
                return Outcome(results: outcome.results.inDoubt(group[...], error))
            }
            return outcome
        } catch {
            // An error of the transaction itself fails all members.
            connection.rollBack()
            return Outcome(results: group.map { _ in .failure(error) })
        }
    }

    /// - Throws: Errors that end the transaction.
    private func apply(
        _ group: [PendingCommit], after sequence: Int64
    ) throws(PersistencyError) -> Outcome {
        var outcome = Outcome(results: [])
        for member in group {
            guard !member.isCancelled else {
                outcome.results.append(.failure(.cancelled))
                continue
            }
            let before = connection.rowsWritten
            let bulkCount: Int
            do throws(PersistencyError) {
                bulkCount = try apply(member.changes, alone: group.count == 1)
            } catch {
                guard connection.isInTransaction else { throw error }
                if group.count > 1 { try connection.rollBackSavepoint() }
                outcome.results.append(.failure(error))
                continue
            }
            let token = hub.token(at: sequence + Int64(outcome.committed.count) + 1)
            outcome.committed.append(CommittedChanges(token: token, of: member.changes, bulkCount: bulkCount))
            outcome.results.append(.success(CommitReceipt(token: token, bulkCount: bulkCount)))
            outcome.rowsWritten += Int(connection.rowsWritten - before)
        }
        return outcome
    }

    private func record(_ commits: [CommittedChanges]) throws(PersistencyError) {
        guard let journal, !commits.isEmpty else { return }
        var total = journal.total
        let time = Timestamp.now()
        for commit in commits {
            total += Int64(commit.size)
            try SQLiteJournal(connection: connection).append(
                commit, at: time, total: total, journal.bounds, readers: plan.schemas.journalReaders)
        }
    }

    /// - Returns: The number of roots that its bulk update has changed.
    private func apply(_ changes: ChangeSet, alone: Bool) throws(PersistencyError) -> Int {
        // A transaction with one member needs no savepoint: it is rolled back as a whole.
        if !alone { try connection.setSavepoint() }
        let bulkCount = try SQLiteChangeApplier(connection: connection, plan: plan).apply(changes)
        if !alone { try connection.releaseSavepoint() }
        return bulkCount
    }
}
