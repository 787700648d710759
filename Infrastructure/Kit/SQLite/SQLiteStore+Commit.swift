public import LarderData
public import LarderDomain

extension SQLiteStore {
    /// A change set of more rows goes to the store's thread.
    private static let rowsAtOnce = 256
    /// So does one of more bytes.
    private static let bytesAtOnce = 256 << 10

    /// At `full`, and where it would have to wait, it joins the change sets that wait for the store's thread, which
    /// share one sync, and so does a change set with removals, which may affect any number of rows; else it runs here and
    /// now, without a suspension from its begin to its end.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () async throws(PersistencyError) in try await store(changes) }
    }

    private func store(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        if Task.isCancelled { throw .cancelled }
        do throws(PersistencyError) {
            try changes.check(against: schemas)
        } catch {
            try await checkOpen()
            throw error
        }
        if changes.isEmpty { return try await judge(changes.reads) }
        guard let writeAccess else {
            throw .unavailable(Unavailable(.readOnly, "the store was opened to be read only"))
        }
        if writeAccess.writer.mustWaitForScans { await scans.waitWhileHeldBack() }
        guard case .file = source, configuration.durability != .full, changes.removals.isEmpty,
            changes.rowCount <= Self.rowsAtOnce, changes.byteCount <= Self.bytesAtOnce,
            !writeAccess.writer.isCheckpointDue, let receipt = try writeAccess.writer.commitAtOnce(changes)
        else { return try await writeAccess.queue.commit(changes) }
        if writeAccess.writer.isCheckpointDue {
            writeAccess.thread.enqueue { [scans] in writeAccess.writer.checkpointIfDue(on: writeAccess.thread, scans) }
        }
        return receipt
    }

    /// - Throws: `unavailable` (`closed`), which precedes what is wrong with a change set.
    private func checkOpen() async throws(PersistencyError) {
        guard let writeAccess else { return }
        try await writeAccess.thread.run { () throws(PersistencyError) in
            try writeAccess.writer.read { (_) throws(PersistencyError) in }
        }
    }

    /// Judges what was only read; nothing is written, and nobody hears of it.
    private func judge(_ reads: [RootExpectation]) async throws(PersistencyError) -> CommitReceipt {
        let plan = plan
        try await scan(isShort: true) { connection throws(PersistencyError) in
            let (reading, writer) = (
                SQLiteReading(connection: connection), SQLiteChangeApplier(connection: connection, plan: plan)
            )
            guard let first = reads.first else { return }
            try reading.snapshot(isOne: reads.count == 1 && first.key.schema.isFlat) { () throws(PersistencyError) in
                for read in reads { try writer.judge(read) }
            }
        }
        return CommitReceipt(token: hub.token(at: writeAccess?.writer.sequence ?? 0))
    }
}

extension ChangeSet {
    /// How many rows it writes, roughly.
    fileprivate var rowCount: Int {
        let inserted = inserts.reduce(0) { $0 + $1.rowCount }
        return updates.reduce(inserted + deletes.count) { sum, update in
            sum + 1 + update.changes.children.count + update.changes.links.reduce(0) { $0 + $1.places.count }
        }
    }
}
