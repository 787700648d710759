#if Postgres
public import LarderData
public import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

extension PostgresStore {
    /// The maximum number of attempts if concurrent transactions interfere.
    private static let attempts = 20
    /// Commits between two removals of old ones from the journal.
    private static let pruning = 256

    /// Commits in one transaction on one connection, in two round trips if the change set is not large.
    ///
    /// A transaction that fails because of concurrent ones is repeated, up to 20 times; then `contention` is thrown.
    public nonisolated func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        do {
            return try await outcomes.recording(changes) { () async throws(PersistencyError) in try await store(changes)
            }
        } catch {
            if case .inDoubt = error { noteDoubt(changes.id) }
            throw error
        }
    }

    private nonisolated func store(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try pool.checkOpen()
        if Task.isCancelled { throw .cancelled }
        try changes.check(against: schemas)
        if changes.isEmpty { return try await judge(changes) }
        var attempt = 1
        while true {
            do throws(PersistencyError) {
                let position = try await attemptCommit(changes)
                feed.wake()
                if commits.wrappingAdd(1, ordering: .relaxed).newValue % Self.pruning == 0 { prune() }
                return CommitReceipt(token: token(at: position))
            } catch {
                guard case .contention = error, attempt < Self.attempts else { throw error }
            }
            // Jitter, so that two transactions do not meet again.
            let limit = UInt64(min(1 << attempt, 64))
            do { try await Task.sleep(for: .microseconds(Int64.random(in: 0...Int64(limit * 500)))) } catch {
                throw .cancelled
            }
            attempt += 1
        }
    }

    /// Removes old commits from the journal. Nobody waits for it.
    private nonisolated func prune() {
        let (pool, bounds, known) = (pool, configuration.journal, settlement.position)
        Task {
            try? await pool.run { connection, _ throws(PersistencyError) in
                try PostgresJournal(connection: connection).prune(to: bounds, settled: known)
            }
        }
    }

    private nonisolated func attemptCommit(_ changes: ChangeSet) async throws(PersistencyError) -> Int64 {
        let result = try await pool.run { connection, thread throws(PersistencyError) in
            if Task.isCancelled { throw .cancelled }
            workLog.note(.sync, on: thread)
            workLog.note(.lockWait, on: thread)
            return try PostgresCommit(
                connection: connection, plan: plan, changes: changes, settlement: settlement, lifetime: lifetime
            ).run()
        }
        switch result {
        case .committed(let position): return position
        case .inDoubt(let cause): return try await resolve(changes.id, cause)
        }
    }

    /// Validates a change set that only read, in one snapshot. Nothing is written or published.
    private nonisolated func judge(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let plan = plan
        try await read { (reading) throws(PersistencyError) in
            let steps = try PostgresVersionJudge(plan, changes).readingSteps()
            try reading.snapshot { () throws(PersistencyError) in
                try reading.connection.run([PostgresReading.begin] + steps + [PostgresReading.commit])
            }
        }
        return CommitReceipt(token: try await end())
    }
}
#endif
