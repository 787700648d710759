internal import LarderData
internal import LarderDomain
internal import Synchronization

/// What writes a store of files, on the store's thread, and what readers see meanwhile: the state as it was when the last
/// sync had succeeded.
final class FileWriter: Sendable {
    private struct Writing {
        /// `nil` once closed.
        var engine: LogEngine?
        /// Commits that were answered and not published yet, with those who are to hear of them.
        var unheard: [(audience: ChangeHub.Audience, commits: [CommittedMember])] = []
        /// Rows written by commits that were there before.
        let rowsBefore: Int
    }

    private let writing: Mutex<Writing>
    /// The roots, by the names of their schemas; `nil` once closed. Never locked for longer than a look takes.
    private let published: Mutex<[String: RootTable]?>
    private let hub: ChangeHub
    /// Hears of work that may take long, where it runs.
    private let note: @Sendable (LongWork) -> Void

    init(_ engine: LogEngine, hub: ChangeHub, note: @escaping @Sendable (LongWork) -> Void) {
        writing = Mutex(Writing(engine: engine, rowsBefore: engine.state.rowsWritten))
        published = Mutex(engine.state.tables)
        self.hub = hub
        self.note = note
    }

    /// The roots of a schema, as they are on the device.
    func table(of schema: EntitySchema) throws(PersistencyError) -> RootTable {
        try published.withLock { tables throws(PersistencyError) in
            guard let tables else { throw .closed }
            guard let table = tables[schema.name] else { throw .unknownEntity(schema.name) }
            return table
        }
    }

    /// Commits change sets with one sync; what fails is left out, alone. Readers see them when all are on the device.
    ///
    /// Blocks: belongs on the store's thread, as all that follows.
    func commit(_ group: [PendingCommit]) -> [CommitResult] {
        writing.withLock { writing in
            guard let outcome = writing.engine?.commit(group, token: hub.token) else {
                return group.map { _ in .failure(.closed) }
            }
            guard let last = outcome.committed.last else { return outcome.results }
            note(.sync)
            publish(writing.engine?.state.tables)
            writing.unheard.append((hub.audience(upTo: last.token.position), outcome.committed))
            return outcome.results
        }
    }

    /// Tells observers what was committed, and compacts the log if it is time.
    func finish() {
        writing.withLock { writing in
            for (audience, commits) in writing.unheard {
                for (changes, token) in commits { audience.hear(changes, at: token) }
            }
            writing.unheard = []
            guard writing.engine?.isCompactionDue == true else { return }
            note(.checkpoint)
            // If it fails nothing is lost but room; and if nothing may be written after it, the next commit says so.
            try? writing.engine?.compact()
        }
    }

    func compact() throws(PersistencyError) {
        try writing.withLock { writing throws(PersistencyError) in
            guard writing.engine != nil else { throw .closed }
            note(.checkpoint)
            try writing.engine?.compact()
        }
    }

    func checkFiles() throws(PersistencyError) {
        try writing.withLock { writing throws(PersistencyError) in
            try writing.engine?.log.files.check()
        }
    }

    func measurements() -> StoreMeasurements {
        writing.withLock { writing in
            StoreMeasurements(
                rowsWritten: writing.engine.map { $0.state.rowsWritten - writing.rowsBefore },
                bytesWritten: writing.engine?.bytesWritten)
        }
    }

    /// Leaves the marker of a clean close, and gives the lock back.
    func close() {
        writing.withLock { writing in
            if writing.engine != nil { note(.sync) }
            writing.engine?.close()
            writing.engine = nil
        }
        publish(nil)
    }

    private func publish(_ tables: [String: RootTable]?) {
        // What was there goes when nobody waits for it any more.
        _ = published.withLock { published in
            let before = published
            published = tables
            return before
        }
    }
}
