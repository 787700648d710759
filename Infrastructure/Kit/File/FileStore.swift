public import LarderData
public import LarderDomain

/// Keeps storage objects in memory, and for good in a log in a folder: for one process, on a local file system, as long
/// as the data fits in memory.
///
/// A commit is acknowledged when it is on the device. Point reads run where the caller runs and wait for nobody; scans
/// run on a thread of the store's own, and whatever writes or syncs on another.
public actor FileStore: FileBackedStore, MeasuredStore {
    /// `file`; counts the rows and bytes that it writes, and says where its long work runs.
    public nonisolated let traits: StoreTraits
    /// The schemas that it was opened with.
    public nonisolated let schemas: SchemaSet
    nonisolated let writer: FileWriter
    nonisolated let queue: CommitQueue
    nonisolated let thread: StoreThread
    private nonisolated let scanThread: StoreThread
    private nonisolated let workLog: WorkLog
    private nonisolated let hub: ChangeHub
    private nonisolated let outcomes = CommitOutcomes()
    /// Whether the log has columns that the program does not know.
    private nonisolated let hasFurtherColumns: Bool

    init(_ engine: LogEngine, schemas: SchemaSet, thread: StoreThread, scanThread: StoreThread) {
        (self.schemas, self.thread, self.scanThread) = (schemas, thread, scanThread)
        hasFurtherColumns = !engine.codec.further.items.isEmpty
        traits = StoreTraits(
            kind: "file", capabilities: [.durable, .soleWriter, .countsWrites, .countsBytes, .tellsThreads])
        let (hub, workLog) = (
            ChangeHub(buffer: traits.changeBuffer, position: engine.state.sequence), WorkLog()
        )
        let writer = FileWriter(engine, hub: hub) { workLog.note($0, on: thread) }
        (self.hub, self.workLog, self.writer) = (hub, workLog, writer)
        queue = CommitQueue(thread: thread) {
            writer.commit($0)
        } finish: {
            writer.finish()
        }
    }

    /// Runs where the caller runs.
    ///
    /// - Complexity: O(*m* log *n*) for *m* ids.
    public nonisolated func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: RowBody
    ) throws(PersistencyError) {
        let found = try writer.table(of: schema).objects(ids)
        try Rows.lend(hasFurtherColumns ? found.map(\.declared) : found, to: body)
    }

    /// Takes a snapshot, which costs next to nothing, and searches it on the store's thread for scans.
    ///
    /// - Complexity: O(*m* log *n*) for a page of *m* roots that an index or the order of ids leads to, O(*n*) otherwise.
    public nonisolated func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try await scan(of: request.schema, request.consistency).lend(request, to: body)
    }

    /// Takes a snapshot and counts its roots on the store's thread for scans.
    ///
    /// - Complexity: O(*n*).
    public nonisolated func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await scan(of: request.schema, request.consistency).counts(request)
    }

    private nonisolated func scan(
        of schema: EntitySchema, _ consistency: ReadConsistency
    ) throws(PersistencyError) -> TableScan {
        try hub.check(consistency)
        return TableScan(
            table: try writer.table(of: schema), thread: scanThread, workLog: workLog,
            hasFurtherColumns: hasFurtherColumns)
    }

    /// Joins the change sets that wait for the store's thread, which share one write and one sync.
    public nonisolated func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () async throws(PersistencyError) in
            if Task.isCancelled { throw .cancelled }
            return try await queue.commit(changes)
        }
    }

    public nonisolated func outcome(of id: CommitID) -> CommitOutcome { outcomes.outcome(of: id) }

    public nonisolated func changes(after token: StoreToken?) -> AsyncStream<StoreChange> {
        hub.subscribe(after: token)
    }

    /// The rows that a database would have written, the bytes of the log, and where long work ran.
    public nonisolated func measurements() async -> StoreMeasurements {
        var sum = await thread.run { writer.measurements() }
        sum.longWork = workLog.places
        sum.rootsVisited = workLog.rootsVisited
        return sum
    }

    /// Writes the log anew, without what was changed or deleted since. Commits wait meanwhile, reads do not.
    ///
    /// The store does so by itself when more than half of the log is of no use.
    ///
    /// - Throws: `unavailable`: `full` where there is no room for both logs, and then the old one stays.
    /// - Complexity: O(*n*).
    public nonisolated func compact() async throws(PersistencyError) {
        try await thread.run { () throws(PersistencyError) in try writer.compact() }
    }

    /// Checks that the paths of the log and its lock still name the files that are open.
    public nonisolated func checkFiles() async throws(PersistencyError) {
        try await thread.run { () throws(PersistencyError) in try writer.checkFiles() }
    }

    /// Ends the store. A marker says that it was closed properly, so that opening it again is quick.
    public nonisolated func close() async {
        await thread.run { writer.close() }
        hub.close()
    }
}
