public import LarderData
public import LarderDomain
internal import Synchronization

/// Keeps storage objects in a SQLite database: one file that the `sqlite3` shell reads too.
///
/// One connection of one process writes, and other processes may read at the same time. Syncs and checkpoints run on
/// the store's thread.
///
/// The actor's isolation guards the lock file, and serializes small commits at `normal` and `off`, which run in the
/// actor, one at a time. All other components are immutable and `Sendable`, so these and the members that only use them
/// are nonisolated: point reads run where the caller runs, on read-only connections, and must not wait for the actor;
/// scans run on their own threads.
public actor SQLiteStore: FileBackedStore, MeasuredStore {
    /// The kind and capabilities of the store. A read-only store neither counts writes nor publishes changes.
    public nonisolated let traits: StoreTraits
    /// The schemas that the store was opened with.
    public nonisolated let schemas: SchemaSet

    nonisolated let configuration: Configuration
    nonisolated let plan: SQLPlan
    /// The connections that only read; `nil` in memory.
    nonisolated let pool: SQLiteReaderPool?
    /// `nil` for a file that only other processes write.
    nonisolated let writeAccess: SQLiteWriteAccess?
    nonisolated let hub: ChangeHub
    nonisolated let outcomes = CommitOutcomes()
    /// The time of opening, for outcomes of earlier commits; `nil` if another process writes.
    nonisolated let openedAt: Timestamp?
    /// Reads the journal for observers, if another process writes.
    nonisolated let follower: SQLiteFollower?
    nonisolated let workLog: WorkLog
    nonisolated let scans: ScanThreads
    /// The number of reads on callers' threads. Every 64th read yields, because short work that never suspends would
    /// occupy the cooperative pool.
    nonisolated let readsAtOnce = Atomic(0)
    /// The last commit before the latest read on a pooled connection.
    nonisolated let lastPooled = Atomic<Int64>(0)
    private var lock: LockFile?

    /// Opens the database. Blocks: call it on the store's thread.
    init(
        _ configuration: Configuration, _ plan: SQLPlan, thread: StoreThread, scans: ScanThreads
    ) throws(PersistencyError) {
        let workLog = WorkLog()
        (self.configuration, self.plan, schemas) = (configuration, plan, plan.schemas)
        (self.scans, self.workLog) = (scans, workLog)
        workLog.note(.lockWait, on: thread)
        let opening = SQLiteOpening(configuration: configuration, plan: plan)
        func access(
            _ connection: SQLiteConnection, pageBytes: Int?, _ files: OpenedFiles, _ paths: SQLiteFiles? = nil
        ) throws(PersistencyError) -> (SQLiteWriteAccess, ChangeHub) {
            let syncs = pageBytes != nil && configuration.durability == .full
            var journal: (JournalBounds, SQLiteJournal.Head)?
            if let bounds = configuration.journal {
                journal = (bounds, try SQLiteJournal(connection: connection).head())
            }
            let hub = ChangeHub(journal?.1)
            let writer = SQLiteWriter(
                connection, plan: plan, hub: hub, journal: journal, syncs: syncs, files: files, paths: paths,
                onBlockedLog: configuration.onBlockedLog
            ) {
                workLog.note($0, on: thread)
            }
            let busyMilliseconds = configuration.busyMilliseconds
            let queue = CommitQueue(thread: thread) { group in
                writer.commit(group, busyMilliseconds: busyMilliseconds)
            } finish: {
                writer.checkpointIfDue(on: thread, scans)
            }
            return (SQLiteWriteAccess(writer: writer, queue: queue, thread: thread, pageBytes: pageBytes), hub)
        }
        var capabilities: Set<Capability> = [.boundedPages, .countsStatements, .tellsThreads]
        var isJournaled = configuration.journal != nil
        var follower: SQLiteFollower?
        switch (configuration.location, configuration.access) {
        case (.memory, _):
            pool = nil
            (writeAccess, hub) = try access(try opening.memory(), pageBytes: nil, try OpenedFiles([]))
            capabilities.formUnion([.soleWriter, .countsWrites])
        case (.file(let path), .readWrite):
            let files = try SQLiteFiles(path, makingFolder: true)
            try opening.refuseForeign(files)
            lock = try opening.lock(files)
            let connection = try opening.writer(files)
            // Each page in the log has a frame header of 24 bytes.
            let pageBytes = Int(try connection.integer("PRAGMA page_size")) + 24
            pool = SQLiteReaderPool(try opening.reader(files), opening, files)
            (writeAccess, hub) = try access(connection, pageBytes: pageBytes, try OpenedFiles(files.opened), files)
            capabilities.formUnion([.durable, .soleWriter, .sharedReading, .countsWrites, .countsBytes])
        case (.file(let path), let access):
            let files = try SQLiteFiles(path, makingFolder: access == .readOnlyAfterUpgrade)
            if access == .readOnlyAfterUpgrade { try opening.upgrade(files) }
            let connection = try opening.firstReader(files)
            let journal = SQLiteJournal(connection: connection)
            let head = try journal.exists() ? try journal.head() : nil
            let pool = SQLiteReaderPool(connection, opening, files)
            (hub, self.pool, writeAccess) = (ChangeHub(head), pool, nil)
            isJournaled = head != nil
            if isJournaled { follower = SQLiteFollower(pool, hub, scans) }
            capabilities.formUnion([.durable, .sharedReading])
        }
        (self.follower, openedAt) = (follower, writeAccess == nil ? nil : .now())
        if isJournaled { capabilities.insert(.journal) }
        traits = StoreTraits(kind: "sqlite", capabilities: capabilities, changeBuffer: 1024)
    }

    /// Rows written by commits, bytes appended to the log, statements run, and the threads of long work.
    public func measurements() async -> StoreMeasurements {
        var sum = StoreMeasurements()
        if let writeAccess {
            // The writer's lock may be held during a sync, so only the store's thread waits for it.
            sum = await writeAccess.thread.run { writeAccess.writer.measurements(pageBytes: writeAccess.pageBytes) }
        }
        if let pool { sum.statements = (sum.statements ?? 0) + pool.statements }
        sum.longWork = workLog.places
        return sum
    }

    /// Checks that the database's paths still name the open files. Does nothing for a read-only store.
    public func checkFiles() async throws(PersistencyError) {
        guard let writeAccess else { return }
        try await writeAccess.thread.run { () throws(PersistencyError) in try writeAccess.writer.checkFiles() }
    }

    /// Closes the store, after a checkpoint as far as readers in other processes allow.
    public func close() async {
        pool?.close()
        if let writeAccess { await writeAccess.thread.run { writeAccess.writer.close() } }
        hub.close()
        lock = nil
    }
}

/// The components for writing. A class, because each commit and read would otherwise copy its members.
final class SQLiteWriteAccess: Sendable {
    let writer: SQLiteWriter
    let queue: CommitQueue
    let thread: StoreThread
    /// The bytes of one page in the log, or `nil` without a log.
    let pageBytes: Int?

    init(writer: SQLiteWriter, queue: CommitQueue, thread: StoreThread, pageBytes: Int?) {
        (self.writer, self.queue, self.thread, self.pageBytes) = (writer, queue, thread, pageBytes)
    }

    /// Checkpoints after a commit that did not run in the queue; the caller does not wait.
    func enqueueCheckpointIfDue(_ scans: ScanThreads) {
        guard writer.isCheckpointDue else { return }
        thread.enqueue { self.writer.checkpointIfDue(on: self.thread, scans) }
    }
}
