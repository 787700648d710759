internal import LarderData
internal import LarderDomain
internal import Synchronization

/// The one connection that writes and checkpoints, behind a lock that also orders commits and what observers hear.
final class SQLiteWriter: Sendable {
    struct State {
        /// `nil` once closed.
        var connection: SQLiteConnection?
        var rowsWritten = 0
        var log = SQLiteLogGauge()
    }

    let plan: SQLPlan
    private let hub: ChangeHub
    /// Whether each commit waits for the device.
    private let syncs: Bool
    private let files: OpenedFiles
    /// Hears of work that may take long, where it runs.
    private let note: @Sendable (LongWork) -> Void
    private let state: Mutex<State>
    private let lastSequence = Atomic<Int64>(0)
    private let isLogFull = Atomic(false)
    private let isLogTooLong = Atomic(false)

    init(
        _ connection: SQLiteConnection, plan: SQLPlan, hub: ChangeHub, syncs: Bool, files: OpenedFiles,
        note: @escaping @Sendable (LongWork) -> Void
    ) {
        (self.plan, self.hub, self.syncs, self.files) = (plan, hub, syncs, files)
        self.note = note
        state = Mutex(State(connection: connection))
    }

    /// The number of the last commit. Asked without the lock, which may be held during a sync.
    var sequence: Int64 { lastSequence.load(ordering: .acquiring) }

    /// Whether the write-ahead log should be checkpointed before more is committed without need.
    var isCheckpointDue: Bool { isLogFull.load(ordering: .relaxed) }

    /// Whether a commit should wait until long scans have ended and the log has restarted.
    var mustWaitForScans: Bool { isLogTooLong.load(ordering: .relaxed) }

    /// Commits one change set at once, if nobody else is writing. Returns `nil` where it would have to wait.
    func commitAtOnce(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt? {
        let result = state.withLockIfAvailable { state in
            commit([PendingCommit(changes)], busyMilliseconds: 0, &state)[0]
        }
        if case .failure(let error) = result, error.isBusy { return nil }
        return try result?.get()
    }

    /// Commits change sets in one transaction with one sync; what fails is left out, alone.
    ///
    /// Blocks: belongs on the store's thread.
    func commit(_ group: [PendingCommit], busyMilliseconds: Int32) -> [CommitResult] {
        state.withLock { commit(group, busyMilliseconds: busyMilliseconds, &$0) }
    }

    private func commit(
        _ group: [PendingCommit], busyMilliseconds: Int32, _ state: inout State
    ) -> [CommitResult] {
        guard let connection = state.connection else { return group.map { _ in .failure(.closed) } }
        connection.setBusyTimeout(busyMilliseconds)
        if busyMilliseconds > 0 { note(.lockWait) }
        if syncs {
            note(.sync)
            // A file without a name takes every commit, and loses all of them with the process.
            do throws(PersistencyError) { try files.check() } catch { return group.map { _ in .failure(error) } }
        }
        let outcome = SQLiteGroup(connection: connection, plan: plan, token: hub.token)
            .commit(group, after: sequence)
        lastSequence.add(Int64(outcome.committed.count), ordering: .releasing)
        state.rowsWritten += outcome.rowsWritten
        state.log.note(pages: connection.walPages)
        isLogFull.store(state.log.isCheckpointDue, ordering: .relaxed)
        isLogTooLong.store(state.log.isTooLong, ordering: .relaxed)
        for (changes, token) in outcome.committed { hub.publish(changes, at: token) }
        return outcome.results
    }
}

extension SQLiteWriter {
    /// Lends the connection, for what is neither commit nor checkpoint. Blocks while others have it.
    func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try state.withLock { state throws(PersistencyError) in
            guard let connection = state.connection else { throw .closed }
            return try body(connection)
        }
    }

    /// Lends the connection for a short read, if nobody else has it. Returns `nil` where it would have to wait.
    func readAtOnce<Result: Sendable>(
        _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result? {
        try state.withLockIfAvailable { state throws(PersistencyError) in
            guard let connection = state.connection else { throw .closed }
            connection.setBusyTimeout(0)
            return try body(connection)
        }
    }

    func checkFiles() throws(PersistencyError) {
        try read { (_) throws(PersistencyError) in try files.check() }
    }

    /// Moves what it can from the log to the database, without waiting for readers. Returns whether readers have kept
    /// the log from being emptied for too long.
    private func checkpoint() -> Bool {
        state.withLock { state in
            guard let connection = state.connection, state.log.isCheckpointDue else { return false }
            note(.checkpoint)
            // What fails is tried again by the next one, and by opening.
            _ = try? connection.checkpoint(.passive)
            state.log.noteCheckpoint()
            isLogFull.store(false, ordering: .relaxed)
            return state.log.isOverdue
        }
    }

    /// Moves the log to the database if that is due, without waiting for anybody as a rule. Where scans that overlap have
    /// kept SQLite from beginning the log anew for too long, further long scans wait until the running ones have ended and
    /// the log is empty. Runs on the store's thread.
    func checkpointIfDue(on thread: StoreThread, _ scans: ScanThreads) {
        guard checkpoint() else { return }
        scans.holdBack {
            thread.enqueue {
                // Short reads hold the log for microseconds.
                self.restartLog(busyMilliseconds: 100)
                scans.resume()
            }
        }
    }

    /// Moves all of the log to the database, so that the next commit begins it anew; for when no long scan runs.
    private func restartLog(busyMilliseconds: Int32) {
        state.withLock { state in
            guard let connection = state.connection else { return }
            note(.checkpoint)
            connection.setBusyTimeout(busyMilliseconds)
            _ = try? connection.checkpoint(.restart)
        }
    }

    func measurements(pageBytes: Int?) -> StoreMeasurements {
        state.withLock { state in
            StoreMeasurements(
                rowsWritten: state.rowsWritten, bytesWritten: pageBytes.map { state.log.pagesWritten * $0 },
                statements: state.connection?.statementsRun)
        }
    }

    /// Empties the log into the database as far as readers allow, and closes.
    func close() {
        state.withLock { state in
            note(.checkpoint)
            state.connection?.setBusyTimeout(0)
            _ = try? state.connection?.checkpoint(.truncate)
            state.connection = nil
        }
    }
}

extension PersistencyError {
    /// Whether another process is in the way.
    var isBusy: Bool { if case .unavailable(let trouble) = self { trouble.reason == .busy } else { false } }

    static var closed: PersistencyError { .unavailable(Unavailable(.closed, "the store was closed")) }
}
