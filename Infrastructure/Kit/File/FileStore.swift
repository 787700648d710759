public import LarderData
public import LarderDomain

/// Keeps storage objects in memory and in a durable log in a folder: for one process, on a local file system, and for
/// data that fits in memory. A commit is acknowledged when it is on the device.
///
/// The actor isolates no state: every property is immutable and `Sendable`, and the locks of these components guard the
/// mutable state. So all members are nonisolated. Point reads run in the caller and never wait for the actor; scans run
/// on one thread; commits, compaction and syncs on another, where a queue orders the change sets.
public actor FileStore: FileBackedStore, MeasuredStore {
    /// Kind `file`; counts written rows and bytes, and reports where long work runs.
    public nonisolated let traits: StoreTraits
    /// The schemas with which the store was opened.
    public nonisolated let schemas: SchemaSet
    nonisolated let writer: FileWriter
    nonisolated let queue: CommitQueue
    nonisolated let thread: StoreThread
    private nonisolated let scanThread: StoreThread
    private nonisolated let workLog: WorkLog
    private nonisolated let hub: ChangeHub
    private nonisolated let outcomes = CommitOutcomes()
    private nonisolated let openedAt = Timestamp.now()
    private nonisolated let journal: RetainedCommits?
    /// Whether the log has columns that the schemas do not declare.
    private nonisolated let hasFurtherColumns: Bool

    init(_ engine: LogEngine, schemas: SchemaSet, thread: StoreThread, scanThread: StoreThread) {
        (self.schemas, self.thread, self.scanThread) = (schemas, thread, scanThread)
        hasFurtherColumns = !engine.codec.further.items.isEmpty
        journal = engine.journal?.retained
        let own: Set<Capability> = journal == nil ? [] : [.journal]
        traits = StoreTraits(
            kind: "file",
            capabilities: own.union([
                .durable, .soleWriter, .boundedPages, .bulkUpdates, .countsWrites, .countsBytes, .tellsThreads,
            ]))
        let hub = ChangeHub(
            buffer: traits.changeBuffer, lifetime: engine.journal?.lifetime ?? .random(in: 1 ... .max),
            position: engine.state.sequence)
        let workLog = WorkLog()
        let writer = FileWriter(engine, hub: hub) { workLog.note($0, on: thread) }
        (self.hub, self.workLog, self.writer) = (hub, workLog, writer)
        queue = CommitQueue(thread)
    }

    /// Runs in the caller.
    ///
    /// - Complexity: O(*m* log *n*) for *m* ids.
    public nonisolated func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: RowBody
    ) throws(PersistencyError) {
        let found = try writer.table(of: schema).objects(ids)
        try Rows.lend(hasFurtherColumns ? found.map(\.declared) : found, to: body)
    }

    /// Takes a snapshot in O(1), and searches it on the scan thread.
    ///
    /// - Complexity: O(*m* log *n*) for a page of *m* roots by an index or in the order of ids, O(*n*) otherwise.
    public nonisolated func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try await scan(of: request.schema, request.consistency).lend(request, to: body)
    }

    /// Takes a snapshot in O(1), and visits its roots on the scan thread.
    ///
    /// - Complexity: O(*n*).
    public nonisolated func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try await scan(of: request.schema, request.consistency).aggregates(request)
    }

    private nonisolated func scan(
        of schema: EntitySchema, _ consistency: ReadConsistency
    ) throws(PersistencyError) -> TableScan {
        try hub.check(consistency)
        return TableScan(
            table: try writer.table(of: schema), thread: scanThread, workLog: workLog,
            hasFurtherColumns: hasFurtherColumns)
    }

    /// Adds the change set to the pending group, whose members share one write and one sync.
    public nonisolated func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () async throws(PersistencyError) in
            if Task.isCancelled { throw .cancelled }
            return try await queue.commit(changes, by: writer)
        }
    }

    /// The outcome of a commit of this store or, with a journal, of any retained commit.
    ///
    /// - Complexity: O(*n*) for *n* retained commits.
    public nonisolated func outcome(of id: CommitID) -> CommitOutcome {
        let outcome = outcomes.outcome(of: id)
        return outcome == .unknown ? journal?.outcome(of: id, before: openedAt) ?? outcome : outcome
    }

    public nonisolated func changes(after token: ChangeToken?) -> AsyncStream<ChangeEvent> {
        hub.subscribe(after: token, journal: journal?.reader)
    }

    /// The rows that a database would have written, the bytes written to the log, and where long work ran.
    public nonisolated func measurements() async -> StoreMeasurements {
        var sum = await thread.run { writer.measurements() }
        sum.longWork = workLog.places
        sum.rootsVisited = workLog.rootsVisited
        return sum
    }

    /// Rewrites the log without obsolete data. Commits wait meanwhile, reads do not.
    ///
    /// Runs automatically when more than half of a log over 64 KiB is obsolete.
    ///
    /// - Throws: `unavailable`: `full` if the device has no space for both logs; the old log remains in use.
    /// - Complexity: O(*n*).
    public nonisolated func compact() async throws(PersistencyError) {
        try await thread.run { () throws(PersistencyError) in
            try writer.rewrite { engine throws(PersistencyError) in try engine.compact() }
        }
    }

    /// Checks that the paths of the log and its lock still name the open files.
    public nonisolated func checkFiles() async throws(PersistencyError) {
        try await thread.run { () throws(PersistencyError) in
            try writer.withEngine { engine throws(PersistencyError) in try engine.log.files.check() }
        }
    }

    /// Closes the store. A marker records the clean close, so that the next opening need not rewrite the log.
    public nonisolated func close() async {
        await thread.run { writer.close() }
        hub.close()
    }
}

extension FileStore: RenewableStore {
    /// Rewrites the log, and closes the store.
    ///
    /// - Throws: `unavailable`: `full` if the device has no space for both logs; the old log remains.
    public nonisolated func renew() async throws(PersistencyError) {
        try await thread.run { () throws(PersistencyError) in
            try writer.rewrite { engine throws(PersistencyError) in try engine.renew() }
        }
        await close()
    }
}
