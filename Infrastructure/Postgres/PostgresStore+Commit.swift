#if Postgres
public import LarderData
public import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

extension PostgresStore {
    /// Commits in one transaction on one connection, in two round trips if the change set is not large.
    ///
    /// A transaction that fails because of concurrent ones is repeated, up to 20 times; then `contention` is thrown.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        do {
            return try await outcomes.recording(changes) { () async throws(PersistencyError) in try await store(changes)
            }
        } catch {
            if case .inDoubt = error { noteDoubt(changes.id) }
            throw error
        }
    }

    private func store(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try pool.checkOpen()
        if Task.isCancelled { throw .cancelled }
        try changes.check(against: schemas, allowsBulk: true)
        if changes.isEmpty { return try await judge(changes) }
        if configuration.access == .readOnly { throw .readOnly }
        let isContention = { (error: PersistencyError) in if case .contention = error { true } else { false } }
        let (position, bulkCount) = try await configuration.retry.repeating(while: isContention) {
            (_) async throws(PersistencyError) in try await attemptCommit(changes)
        }
        feed.wake()
        maintain(after: changes, at: position)
        return CommitReceipt(token: token(at: position), bulkCount: bulkCount)
    }

    /// Removes old commits from the journal now and then, and analyzes it while it grows. No commit waits for it.
    ///
    /// Both read many rows of the journal, so they are amortized: a removal follows changes in proportion to their number,
    /// and an analysis follows each time when the number of commits has doubled.
    private func maintain(after changes: ChangeSet, at position: Int64) {
        let size = max(
            1, changes.inserts.count + changes.updates.count + changes.deletes.count + changes.removals.count)
        let interval = max(256, configuration.journal.changes / 8)
        let (before, now) = journaled.wrappingAdd(size, ordering: .relaxed)
        let isLonger = before / interval != now / interval
        let hasDoubled = position >= 512 && position.nonzeroBitCount == 1
        if !isLonger && !hasDoubled { return }
        let (pool, bounds, known) = (pool, configuration.journal, settlement.position)
        let (readers, lifetime) = (schemas.journalReaders, lifetime)
        Task {
            try? await pool.run { connection, _ throws(PersistencyError) in
                let journal = PostgresJournal(connection: connection)
                if hasDoubled { try journal.analyze() }
                if isLonger {
                    let read = try journal.readCommit(readers, lifetime)
                    try journal.prune(to: bounds, settled: known, read: read)
                }
            }
        }
    }

    private func attemptCommit(
        _ changes: ChangeSet, atOnce: Bool = true
    ) async throws(PersistencyError) -> (position: Int64, bulkCount: Int) {
        let number = settlement.begin()
        let result: PostgresCommit.Result
        do throws(PersistencyError) { result = try await run(changes, atOnce: atOnce) } catch {
            settlement.end(number, at: nil)
            throw error
        }
        switch result {
        case .committed(let position, let bulkCount):
            return (try await settle(position, number, changes.id), bulkCount)
        case .inDoubt(let cause, let backend, let bulkCount):
            settlement.end(number, at: nil)
            if let position = try await resolve(changes.id, cause, backend) { return (position, bulkCount) }
            if backend == nil { throw .unavailable(cause) }
            // The idle connection may have been lost before, for example because the server was restarted.
            return try await attemptCommit(changes, atOnce: false)
        }
    }

    private func run(
        _ changes: ChangeSet, atOnce: Bool
    ) async throws(PersistencyError) -> PostgresCommit.Result {
        if atOnce, let update = try PostgresGroupedUpdate(changes, plan, lifetime: lifetime),
            let result = try await updateGroups.run(update)
        {
            return result
        }
        return try await pool.run { connection, thread throws(PersistencyError) in
            if Task.isCancelled { throw .cancelled }
            workLog.note(.sync, on: thread)
            workLog.note(.lockWait, on: thread)
            return try PostgresCommit(connection: connection, plan: plan, changes: changes, lifetime: lifetime).run()
        }
    }

    /// Waits until all transactions with a smaller position have ended.
    private func settle(
        _ position: Int64, _ number: Int, _ id: CommitID
    ) async throws(PersistencyError) -> Int64 {
        settlement.end(number, at: position)
        let settled = await settlement.settled(upTo: position)
        if settled >= position { return position }
        // Not interrupted by a cancellation, because the commit is stored.
        let wait = Task { [pool] in
            await Result { () async throws(PersistencyError) in
                try await pool.run { connection, _ throws(PersistencyError) in
                    try PostgresJournal(connection: connection).settle(after: settled, before: position)
                }
            }
        }
        guard case .failure(let error) = await wait.value else {
            settlement.note(upTo: position)
            return position
        }
        var cause = Unavailable(.failed, "\(error)")
        if case .unavailable(let known) = error { cause = known }
        if let position = try await resolve(id, cause, nil) { return position }
        throw .unavailable(cause)
    }

    /// Validates a change set that only read, in one snapshot. Nothing is written or published.
    private func judge(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let plan = plan
        try await read { (reading) throws(PersistencyError) in
            let steps = try PostgresVersionJudge.steps(changes, plan, locking: false)
            try reading.connection.inSnapshot { begin, commit throws(PersistencyError) in
                try reading.connection.run(begin + steps + commit)
            }
        }
        return CommitReceipt(token: try await end())
    }
}
#endif
