public import LarderData
public import LarderDomain
internal import Synchronization

/// Keeps storage objects in a SQLite database: one file that the `sqlite3` shell reads too.
///
/// Short point reads run where the caller runs, on read-only connections; scans, and whatever syncs or waits, on
/// threads of the store's own. One connection writes, and one process at a time; others may read meanwhile.
public actor SQLiteStore: FileBackedStore, MeasuredStore {
    /// What it is and what it can do; a database that is only read is neither counted for writes nor watched.
    public nonisolated let traits: StoreTraits
    /// The schemas that it was opened with.
    public nonisolated let schemas: SchemaSet

    nonisolated let configuration: Configuration
    nonisolated let plan: SQLPlan
    nonisolated let source: Source
    nonisolated let hub: ChangeHub
    nonisolated let outcomes = CommitOutcomes()
    nonisolated let workLog: WorkLog
    /// Where scans run.
    nonisolated let scans: ScanThreads
    nonisolated let turns = Turns()
    /// The last commit that came before a read in the pool.
    nonisolated let lastPooled = Atomic<Int64>(0)
    private var lock: LockFile?

    /// Where connections come from.
    enum Source {
        /// A file that is written here.
        case file(SQLiteReaderPool, SQLiteWriteAccess)
        /// A file that others write.
        case shared(SQLiteReaderPool)
        /// One connection, reader and writer at once.
        case memory(SQLiteWriteAccess)
    }

    init(_ parts: Parts) {
        traits = parts.traits
        schemas = parts.plan.schemas
        configuration = parts.configuration
        plan = parts.plan
        source = parts.source
        hub = parts.hub
        workLog = parts.workLog
        scans = parts.scans
        lock = parts.lock
    }

    /// What writes, if anything does.
    nonisolated var writeAccess: SQLiteWriteAccess? {
        switch source {
        case .file(_, let writeAccess), .memory(let writeAccess): writeAccess
        case .shared: nil
        }
    }

    public nonisolated func outcome(of id: CommitID) -> CommitOutcome { outcomes.outcome(of: id) }

    /// The commits of this store; those of other processes are not among them.
    public nonisolated func changes(after token: StoreToken?) -> AsyncStream<StoreChange> {
        hub.subscribe(after: token)
    }

    /// Rows written by commits, bytes appended to the log, statements begun, and where long work ran.
    public func measurements() async -> StoreMeasurements {
        var sum = StoreMeasurements()
        if let writeAccess {
            // The writer's lock may be held during a sync, which is for its own thread to wait for.
            sum = await writeAccess.thread.run { writeAccess.writer.measurements(pageBytes: writeAccess.pageBytes) }
        }
        switch source {
        case .file(let pool, _), .shared(let pool): sum.statements = (sum.statements ?? 0) + pool.statements
        case .memory: break
        }
        sum.longWork = workLog.places
        return sum
    }

    /// Checks that the database's paths still name the files that are open; nothing for a database that is only read.
    public func checkFiles() async throws(PersistencyError) {
        guard let writeAccess else { return }
        try await writeAccess.thread.run { () throws(PersistencyError) in try writeAccess.writer.checkFiles() }
    }

    /// Ends the store; the log is emptied into the database as far as readers in other processes allow.
    public func close() async {
        switch source {
        case .file(let pool, _), .shared(let pool): pool.close()
        case .memory: break
        }
        if let writeAccess { await writeAccess.thread.run { writeAccess.writer.close() } }
        hub.close()
        lock = nil
    }
}

/// What it takes to write.
struct SQLiteWriteAccess: Sendable {
    let writer: SQLiteWriter
    let queue: CommitQueue
    let checkpoints: SQLiteCheckpoints
    /// Where whatever syncs or waits runs.
    let thread: StoreThread
    /// Bytes of one page in the log; `nil` where there is none.
    let pageBytes: Int?
}
