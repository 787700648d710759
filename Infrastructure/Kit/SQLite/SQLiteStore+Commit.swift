public import LarderData
public import LarderDomain

extension SQLiteStore {
    /// The maximum number of rows of a change set that is committed in the actor.
    private static let rowsAtOnce = 256
    /// The maximum number of its bytes.
    private static let bytesAtOnce = 256 << 10

    /// Commits in the actor, without suspending during the transaction, if the change set is small and need not wait.
    ///
    /// Otherwise, and always at `full`, in memory and with removals or a bulk update, which may affect any number of rows, it
    /// joins the pending change sets of the store's thread, which share one sync.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () async throws(PersistencyError) in try await store(changes) }
    }

    private func store(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        if Task.isCancelled { throw .cancelled }
        let byteCount: Int
        do throws(PersistencyError) {
            byteCount = try changes.check(against: schemas, allowsBulk: true)
        } catch {
            try await checkOpen()
            throw error
        }
        if changes.isEmpty { return try await judge(changes.reads) }
        guard let writer else { throw .readOnly }
        if writer.isLogTooLong { try await writer.waitForRestart() }
        guard pool != nil, configuration.durability != .full, changes.removals.isEmpty,
            changes.bulk == nil, changes.inserts.count <= Self.rowsAtOnce, changes.rowCount <= Self.rowsAtOnce,
            byteCount <= Self.bytesAtOnce, !writer.isCheckpointDue, let receipt = try writer.commitAtOnce(changes)
        else { return try await writer.queue.commit(changes, by: writer) }
        writer.enqueueCheckpointIfDue()
        return receipt
    }

    /// - Throws: `unavailable` (`closed`), which is reported before faults of a change set.
    private func checkOpen() async throws(PersistencyError) {
        guard let writer else { return }
        try await writer.thread.run { () throws(PersistencyError) in
            try writer.read { (_) throws(PersistencyError) in }
        }
    }

    /// Validates a change set that only read. Nothing is written or published.
    private func judge(_ reads: [RootExpectation]) async throws(PersistencyError) -> CommitReceipt {
        let (plan, isReader) = (plan, writer == nil)
        let head = try await scan(isShort: true) { connection throws(PersistencyError) -> SQLiteJournal.Head? in
            if let first = reads.first {
                let isOne = reads.count == 1 && first.key.schema.isFlat
                let judge = SQLiteChangeApplier(connection: connection, plan: plan)
                try SQLiteReading(connection: connection).snapshot(isOne: isOne) { () throws(PersistencyError) in
                    for read in reads { try judge.judge(read) }
                }
            }
            // Another process may write.
            return isReader ? try SQLiteJournal(connection: connection).headIfAny() : nil
        }
        if let head { return CommitReceipt(token: ChangeToken(lifetime: head.lifetime, position: head.position)) }
        return CommitReceipt(token: hub.token(at: writer?.sequence ?? 0))
    }
}

extension ChangeSet {
    /// The approximate number of rows that it writes.
    fileprivate var rowCount: Int {
        let inserted = inserts.reduce(0) { $0 + $1.rowCount }
        return updates.reduce(inserted + deletes.count) { sum, update in
            sum + 1 + update.changes.children.count + update.changes.links.reduce(0) { $0 + $1.places.count }
        }
    }
}
