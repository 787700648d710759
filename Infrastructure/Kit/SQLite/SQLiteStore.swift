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
    nonisolated let writer: SQLiteWriter?
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
        var capabilities: Set<Capability> = [
            .boundedPages, .bulkUpdates, .countsStatements, .semiJoins, .tellsThreads,
        ]
        var isJournaled = configuration.journal != nil
        var follower: SQLiteFollower?
        switch (configuration.location, configuration.access) {
        case (.memory, _):
            pool = nil
            let writer = try SQLiteWriter(opening.memory(), opening, on: thread, scans, workLog)
            (self.writer, hub) = (writer, writer.hub)
            capabilities.formUnion([.soleWriter, .countsWrites])
        case (.file(let path), .readWrite):
            let files = try SQLiteFiles(path, makingFolder: true)
            try opening.refuseForeign(files)
            lock = try opening.lock(files)
            let connection = try opening.writer(files)
            pool = SQLiteReaderPool(try opening.reader(files), opening, files)
            let writer = try SQLiteWriter(connection, opening, files, on: thread, scans, workLog)
            (self.writer, hub) = (writer, writer.hub)
            capabilities.formUnion([.durable, .soleWriter, .sharedReading, .countsWrites, .countsBytes])
        case (.file(let path), let access):
            let files = try SQLiteFiles(path, makingFolder: access == .readOnlyAfterUpgrade)
            if access == .readOnlyAfterUpgrade { try opening.upgrade(files) }
            let connection = try opening.firstReader(files)
            let head = try SQLiteJournal(connection: connection).headIfAny()
            let (pool, hub) = (SQLiteReaderPool(connection, opening, files), ChangeHub(head))
            (self.pool, self.hub, writer) = (pool, hub, nil)
            isJournaled = head != nil
            if isJournaled { follower = SQLiteFollower(pool, hub, scans) }
            capabilities.formUnion([.durable, .sharedReading])
        }
        (self.follower, openedAt) = (follower, writer == nil ? nil : .now())
        if isJournaled { capabilities.insert(.journal) }
        traits = StoreTraits(kind: "sqlite", capabilities: capabilities, changeBuffer: 1024)
    }

    /// Rows written by commits, bytes appended to the log, statements run, and the threads of long work.
    public func measurements() async -> StoreMeasurements {
        var sum = StoreMeasurements()
        // The writer's lock may be held during a sync, so only the store's thread waits for it.
        if let writer { sum = await writer.thread.run { writer.measurements() } }
        if let pool { sum.statements = (sum.statements ?? 0) + pool.statements }
        sum.longWork = workLog.places
        return sum
    }

    /// Checks that the database's paths still name the open files. Does nothing for a read-only store.
    public func checkFiles() async throws(PersistencyError) {
        guard let writer else { return }
        try await writer.thread.run { () throws(PersistencyError) in try writer.checkFiles() }
    }

    /// Closes the store, after a checkpoint as far as readers in other processes allow.
    public func close() async {
        pool?.close()
        if let writer { await writer.thread.run { writer.close() } }
        hub.close()
        lock = nil
    }
}
