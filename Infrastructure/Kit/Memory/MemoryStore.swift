public import LarderData
public import LarderDomain
private import Synchronization

/// Keeps storage objects in memory, under the contract of the durable stores; the data ends with the store. Tests use
/// it as a fake database that can fail or wait: see ``Script``.
///
/// The actor's isolation guards `largeCommits`, which decides where a commit runs. All other properties are immutable
/// and `Sendable`, and a lock guards the state. So only commits are isolated: point reads run in the caller, and scans
/// on the store's thread, without waiting for the actor.
public actor MemoryStore: MeasuredStore {
    /// Kind `memory`; counts written rows, and reports where scans run.
    public nonisolated let traits: StoreTraits
    /// The schemas with which the store was opened.
    public nonisolated let schemas: SchemaSet
    let script: Script?
    /// `nil` once closed.
    private let content: Mutex<StoreState?>
    let hub: ChangeHub
    private let journal: RetainedCommits?
    private let outcomes = CommitOutcomes()
    private let thread = StoreThread(label: "store.memory")
    private let workLog = WorkLog()
    /// The number of large commits that run on the store's thread or wait for it.
    private var largeCommits = 0

    /// Commits of more roots run on the store's thread.
    private static let batchBound = 256

    /// Opens an empty store.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the stored objects.
    ///   - journal: The retained commits; `nil` retains none.
    ///   - script: Scripted failures, and a record of the calls; for tests.
    public init(_ schemas: SchemaSet, journal: JournalBounds? = JournalBounds(), script: Script? = nil) {
        self.init(StoreState(schemas: schemas), schemas, journal, script)
    }

    init(_ state: StoreState, _ schemas: SchemaSet, _ bounds: JournalBounds?, _ script: Script?) {
        self.schemas = schemas
        self.script = script
        let journal = bounds.map { RetainedCommits($0) }
        self.journal = journal
        let own: Set<Capability> = journal == nil ? [] : [.journal]
        traits = StoreTraits(
            kind: "memory",
            capabilities: own.union([.soleWriter, .bulkUpdates, .boundedPages, .countsWrites, .tellsThreads]))
        hub = ChangeHub(buffer: traits.changeBuffer, position: state.sequence)
        content = Mutex(state)
    }

    /// Runs in the caller.
    ///
    /// - Complexity: O(*m* log *n*) for *m* ids.
    public nonisolated func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: RowBody
    ) throws(PersistencyError) {
        script?.record(.read(ids, of: schema))
        try Rows.lend(try table(of: schema).objects(ids), to: body)
    }

    /// Takes a snapshot in O(1), and searches it on the store's thread.
    ///
    /// - Complexity: O(*m* log *n*) for a page of *m* roots by an index or in the order of ids, O(*n*) otherwise.
    public nonisolated func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        script?.record(.query(request))
        return try await scan(of: request.schema, request.consistency).lend(request, to: body)
    }

    /// Takes a snapshot in O(1), and visits its roots on the store's thread.
    ///
    /// - Complexity: O(*n*).
    public nonisolated func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        script?.record(.query(ReadRequest(request.schema, where: request.condition)))
        return try await scan(of: request.schema, request.consistency).aggregates(request)
    }

    private nonisolated func scan(
        of schema: EntitySchema, _ consistency: ReadConsistency
    ) throws(PersistencyError) -> TableScan {
        try hub.check(consistency)
        return TableScan(table: try table(of: schema), thread: thread, workLog: workLog)
    }

    public nonisolated func outcome(of id: CommitID) -> CommitOutcome { outcomes.outcome(of: id) }

    /// Judges and applies the change set: on the actor, or on the store's thread if it or a pending commit is large.
    ///
    /// - Complexity: O(*m* log *n*) for *m* rows and references of the roots written.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () async throws(PersistencyError) in try await store(changes) }
    }

    private func store(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await script?.willCommit(changes)
        if Task.isCancelled { throw .cancelled }
        let rows = changes.inserts.count + changes.updates.count + changes.deletes.count
        // A removal and a bulk update may affect any number of roots.
        let isLarge = rows > Self.batchBound || !changes.removals.isEmpty || changes.bulk != nil
        guard isLarge else {
            // A large commit may already have copied the state; the copy would overwrite this commit.
            if largeCommits == 0 { return try commitNow(changes) }
            return try await thread.run { () throws(PersistencyError) in try self.commitNow(changes) }
        }
        largeCommits += 1
        defer { largeCommits -= 1 }
        return try await thread.run { () throws(PersistencyError) in try self.commitAside(changes) }
    }

    public nonisolated func changes(after token: ChangeToken?) -> AsyncStream<ChangeEvent> {
        hub.subscribe(after: token, journal: journal?.reader)
    }

    /// The rows that a database would have written for the same commits, the visited roots, and where scans ran.
    public nonisolated func measurements() async -> StoreMeasurements {
        let rowsWritten = content.withLock { $0?.rowsWritten }
        return StoreMeasurements(
            rowsWritten: rowsWritten, rootsVisited: workLog.rootsVisited, longWork: workLog.places)
    }

    /// Closes the store and frees its data. Needs only the lock; a large commit in progress then fails with `closed`.
    public nonisolated func close() {
        content.withLock { $0 = nil }
        hub.close()
    }

    /// Commits in one step under the lock, for atomic reads and the order of publishing. Nonisolated, because it also
    /// runs on the store's thread.
    private nonisolated func commitNow(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt {
        try withState { state throws(PersistencyError) in
            try state.commit(changes)
            return publish(changes, state, bulkCount: 0)
        }
    }

    /// Changes a copy, which replaces the state in one step under the lock, so that point reads do not wait. Other
    /// commits must wait. Runs on the store's thread.
    private nonisolated func commitAside(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt {
        var next = try withState { (state) throws(PersistencyError) in state }
        let (named, bulkCount) = try next.namingBulk(changes)
        try next.commit(named)
        return try withState { state throws(PersistencyError) in
            // The original is freed after the lock is released.
            swap(&state, &next)
            return publish(changes, state, bulkCount: bulkCount)
        }
    }

    private nonisolated func publish(
        _ changes: ChangeSet, _ state: StoreState, bulkCount: Int
    ) -> CommitReceipt {
        let token = hub.token(at: state.sequence)
        if !changes.isEmpty {
            let commit = CommittedChanges(token: token, of: changes, bulkCount: bulkCount)
            journal?.append(commit, at: .now()) { state.readCommit(lifetime: token.lifetime) }
            hub.publish(commit)
        }
        return CommitReceipt(token: token, bulkCount: bulkCount)
    }

    private nonisolated func table(of schema: EntitySchema) throws(PersistencyError) -> RootTable {
        try withState { state throws(PersistencyError) in try state.table.table(of: schema) }
    }

    nonisolated func withState<Result: Sendable>(
        _ body: (inout StoreState) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try content.withLock { content throws(PersistencyError) in
            // Moved out, because the first write to a copy would copy the shared storage.
            guard var state = content.take() else { throw .closed }
            defer { content = state }
            return try body(&state)
        }
    }
}
