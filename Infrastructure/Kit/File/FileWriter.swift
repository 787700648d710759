internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Writes a file store on the store's thread, and publishes the state of the last successful sync to readers.
final class FileWriter: GroupCommitter {
    private struct Writing {
        /// `nil` once closed.
        var engine: LogEngine?
        /// Acknowledged commits that are not published yet, with the observers at the time of each group.
        var unheard: [(audience: ChangeHub.Audience, commits: [CommittedChanges])] = []
        /// Rows written by the replayed commits, which measurements exclude.
        let rowsBefore: Int
    }

    let isSealed: Bool
    private let writing: Mutex<Writing>
    /// `nil` once closed. Locked only for a lookup or an exchange.
    private let published: Mutex<RootTables?>
    private let hub: ChangeHub
    /// Counts work that may take long, on the thread that runs it.
    private let note: @Sendable (LongWork) -> Void

    init(_ engine: LogEngine, hub: ChangeHub, note: @escaping @Sendable (LongWork) -> Void) {
        writing = Mutex(Writing(engine: engine, rowsBefore: engine.state.rowsWritten))
        published = Mutex(engine.state.table)
        isSealed = engine.log.end.seal != nil
        self.hub = hub
        self.note = note
    }

    /// The roots of a schema, as of the last successful sync.
    func table(of schema: EntitySchema) throws(PersistencyError) -> RootTable {
        try published.withLock { tables throws(PersistencyError) in
            guard let tables else { throw .closed }
            return try tables.table(of: schema)
        }
    }

    /// Commits all valid change sets with one sync. Readers see them when all are on the device.
    ///
    /// Blocks: runs on the store's thread, as do the methods that follow.
    func commit(_ group: [PendingCommit]) -> [CommitResult] {
        writing.withLock { writing in
            guard let outcome = writing.engine?.commit(group, token: hub.token) else {
                return group.map { _ in .failure(.closed) }
            }
            guard let last = outcome.committed.last else { return outcome.results }
            note(.sync)
            publish(writing.engine?.state.table)
            writing.unheard.append((hub.audience(upTo: last.token.position), outcome.committed))
            return outcome.results
        }
    }

    /// Publishes the commits to observers, and compacts the log if that is due.
    func finish() {
        writing.withLock { writing in
            for (audience, commits) in writing.unheard {
                for commit in commits { audience.hear(commit) }
            }
            writing.unheard = []
            guard writing.engine?.isCompactionDue == true else { return }
            note(.checkpoint)
            // A failure costs only disk space. If it poisons the log, the next commit reports it.
            try? writing.engine?.compact()
        }
    }

    /// Lends the engine for a rewrite of the log.
    func rewrite(_ body: (inout LogEngine) throws(PersistencyError) -> Void) throws(PersistencyError) {
        try withEngine { engine throws(PersistencyError) in
            note(.checkpoint)
            try body(&engine)
        }
    }

    /// Lends the engine. A copy of it is a snapshot, for reading only.
    func withEngine<Result: Sendable>(
        _ body: (inout LogEngine) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try writing.withLock { writing throws(PersistencyError) in
            // Moved out, because the first write to a copy would copy the shared storage.
            guard var engine = writing.engine.take() else { throw .closed }
            defer { writing.engine = engine }
            return try body(&engine)
        }
    }

    func measurements() -> StoreMeasurements {
        writing.withLock { writing in
            StoreMeasurements(
                rowsWritten: writing.engine.map { $0.state.rowsWritten - writing.rowsBefore },
                bytesWritten: writing.engine?.bytesWritten)
        }
    }

    /// Writes the marker of a clean close, and releases the lock.
    func close() {
        writing.withLock { writing in
            if writing.engine != nil { note(.sync) }
            writing.engine?.close()
            writing.engine = nil
        }
        publish(nil)
    }

    private func publish(_ tables: RootTables?) {
        // The old tables are freed after the lock is released, so that readers do not wait.
        var old = tables
        published.withLock { swap(&$0, &old) }
    }
}
