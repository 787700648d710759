internal import LarderData
internal import LarderDomain
internal import Synchronization

/// The only connection that writes and checkpoints, behind a lock that also orders commits and their publication.
final class SQLiteWriter: GroupCommitter {
    struct State {
        /// `nil` after closing.
        var connection: SQLiteConnection?
        var rowsWritten = 0
        var log = SQLiteLogGauge()
        /// The number of changes in the journal and before it.
        var journalTotal: Int64
    }

    /// The thread of commits that wait, syncs and checkpoints.
    let thread: StoreThread
    let queue: CommitQueue
    let hub: ChangeHub
    /// The bytes of one page in the log; `nil` in memory, without a log.
    let pageBytes: Int?
    let opening: SQLiteOpening
    private let files: OpenedFiles
    /// The paths of the database; `nil` in memory.
    private let paths: SQLiteFiles?
    private let scans: ScanThreads
    private let workLog: WorkLog
    private let state: Mutex<State>
    private let lastSequence: Atomic<Int64>
    private let isLogFull = Atomic(false)
    private let logPages = Atomic(0)
    private let blocked = Atomic(false)
    /// The number of changes that wait for the log to restart.
    let waiting = Atomic(0)

    init(
        _ connection: SQLiteConnection, _ opening: SQLiteOpening, _ paths: SQLiteFiles? = nil, on thread: StoreThread,
        _ scans: ScanThreads, _ workLog: WorkLog
    ) throws(PersistencyError) {
        (self.opening, self.paths, self.thread, self.scans, self.workLog) = (opening, paths, thread, scans, workLog)
        let head = opening.configuration.journal == nil ? nil : try SQLiteJournal(connection: connection).head()
        (queue, hub, files) = (CommitQueue(thread), ChangeHub(head), try OpenedFiles(paths?.opened ?? []))
        // Each page in the log has a frame header of 24 bytes.
        pageBytes = paths == nil ? nil : Int(try connection.integer("PRAGMA page_size")) + 24
        lastSequence = Atomic(head?.position ?? 0)
        state = Mutex(State(connection: connection, journalTotal: head?.total ?? 0))
    }

    /// Records work that may take long.
    private func note(_ work: LongWork) { workLog.note(work, on: thread) }

    /// The number of the last commit. Read without the lock, which may be held during a sync.
    var sequence: Int64 { lastSequence.load(ordering: .acquiring) }

    /// Whether a checkpoint is due, so that commits must run on the store's thread.
    var isCheckpointDue: Bool { isLogFull.load(ordering: .relaxed) }

    /// Whether commits must wait until reads have ended and the log has restarted.
    var isLogTooLong: Bool { pagesInLog >= SQLiteLogGauge.limit }

    /// Whether reads have prevented a restart of the log for too long.
    var isLogBlocked: Bool { blocked.load(ordering: .relaxed) }

    /// The pages in the log after the last commit.
    var pagesInLog: Int { logPages.load(ordering: .relaxed) }

    /// Commits one change set immediately. Returns `nil` if it would have to wait for another writer.
    func commitAtOnce(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt? {
        let result = state.withLockIfAvailable { state in
            commit([PendingCommit(changes)], busyMilliseconds: 0, &state)[0]
        }
        if case .failure(let error) = result, error.isBusy { return nil }
        return try result?.get()
    }

    /// Commits change sets in one transaction with one sync. A failed one is left out; the others are committed.
    func commit(_ group: [PendingCommit]) -> [CommitResult] {
        state.withLock { commit(group, busyMilliseconds: opening.configuration.busyMilliseconds, &$0) }
    }

    private func commit(_ group: [PendingCommit], busyMilliseconds: Int32, _ state: inout State) -> [CommitResult] {
        let connection: SQLiteConnection
        do throws(PersistencyError) {
            connection = try readyConnection(busyMilliseconds, state)
        } catch {
            return group.map { _ in .failure(error) }
        }
        let outcome = SQLiteGroup(
            connection: connection, plan: opening.plan, hub: hub,
            journal: opening.configuration.journal.map { ($0, state.journalTotal) }
        ).commit(group, after: sequence)
        state.journalTotal += outcome.committed.reduce(0) { $0 + Int64($1.size) }
        lastSequence.add(Int64(outcome.committed.count), ordering: .releasing)
        state.rowsWritten += outcome.rowsWritten
        noteLog(of: connection, &state)
        for commit in outcome.committed { hub.publish(commit) }
        return outcome.results
    }

    /// Lends the connection for one write transaction that commits no change sets. The body begins and ends it.
    ///
    /// Blocks: call it on the store's thread.
    func write<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try state.withLock { state in
            let connection = try readyConnection(opening.configuration.busyMilliseconds, state)
            defer { noteLog(of: connection, &state) }
            return try body(connection)
        }
    }

    private func readyConnection(
        _ busyMilliseconds: Int32, _ state: borrowing State
    ) throws(PersistencyError) -> SQLiteConnection {
        guard let connection = state.connection else { throw .closed }
        connection.setBusyTimeout(busyMilliseconds)
        if busyMilliseconds > 0 { note(.lockWait) }
        if pageBytes != nil, opening.configuration.durability == .full {
            note(.sync)
            // A deleted file accepts every commit, and is lost with the process.
            try files.check()
        }
        return connection
    }

    private func noteLog(of connection: SQLiteConnection, _ state: inout State) {
        state.log.note(pages: connection.walPages)
        isLogFull.store(state.log.isCheckpointDue, ordering: .relaxed)
        logPages.store(state.log.pages, ordering: .relaxed)
        if !state.log.isOverdue { blocked.store(false, ordering: .relaxed) }
    }
}

extension SQLiteWriter {
    /// Lends the connection, except for commits and checkpoints. Blocks while it is in use.
    func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try state.withLock { state throws(PersistencyError) in
            guard let connection = state.connection else { throw .closed }
            return try body(connection)
        }
    }

    /// Lends the connection for a short read. Returns `false` if it is in use.
    func readAtOnce(_ body: (SQLiteConnection) throws(PersistencyError) -> Void) throws(PersistencyError) -> Bool {
        try state.withLockIfAvailable { state throws(PersistencyError) -> Void in
            guard let connection = state.connection else { throw .closed }
            connection.setBusyTimeout(0)
            try body(connection)
        } != nil
    }

    func checkFiles() throws(PersistencyError) {
        try read { (_) throws(PersistencyError) in try files.check() }
    }

    /// Checkpoints without waiting for readers, if due. Returns whether readers have prevented a restart of the log for
    /// too long.
    private func checkpoint() -> Bool {
        state.withLock { state in
            guard let connection = state.connection, state.log.isCheckpointDue else { return false }
            note(.checkpoint)
            // The next checkpoint or opening retries after a failure.
            _ = try? connection.checkpoint(.passive)
            state.log.noteCheckpoint()
            isLogFull.store(false, ordering: .relaxed)
            return state.log.isOverdue
        }
    }

    /// Checkpoints if due, normally without waiting. If overlapping scans have prevented a restart of the log for too
    /// long, new long scans wait until the running ones have ended and the log can restart. Runs on the store's thread.
    func finish() {
        if checkpoint() { restartLog() }
    }

    /// Checkpoints after a commit that did not run in the queue; the caller does not wait.
    func enqueueCheckpointIfDue() {
        if isCheckpointDue { thread.enqueue { self.finish() } }
    }

    /// Restarts the log when the running long scans have ended, if other processes permit it. New ones wait. Does nothing
    /// if that is in progress already.
    func restartLog() {
        scans.holdBack {
            self.thread.enqueue {
                self.truncateLog()
                self.scans.resume()
            }
        }
    }

    /// Checkpoints and truncates the log. No long scan may run.
    private func truncateLog() {
        let hasRestarted = state.withLock { state in
            guard let connection = state.connection else { return true }
            note(.checkpoint)
            // Short reads prevent a restart only for microseconds.
            connection.setBusyTimeout(100)
            guard (try? connection.checkpoint(.truncate)) != nil else { return false }
            connection.walPages = 0
            noteLog(of: connection, &state)
            return true
        }
        if !hasRestarted { _ = blockage() }
    }

    /// The reads that prevent a restart of the log, reported once until it restarts; `nil` without a log.
    func blockage() -> LogBlockage? {
        guard let paths else { return nil }
        let blockage = LogBlockage(paths, bytes: paths.logSize)
        if !blocked.exchange(true, ordering: .relaxed) { opening.configuration.onBlockedLog?(blockage) }
        return blockage
    }

    func measurements() -> StoreMeasurements {
        state.withLock { state in
            StoreMeasurements(
                rowsWritten: state.rowsWritten, bytesWritten: pageBytes.map { state.log.pagesWritten * $0 },
                statements: state.connection?.statementsRun)
        }
    }

    /// Checkpoints and truncates the log as far as readers allow, and closes the connection.
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
    /// Whether a lock of another connection prevented the operation.
    var isBusy: Bool { if case .unavailable(let trouble) = self { trouble.reason == .busy } else { false } }
}
