public import LarderData
public import LarderDomain

extension SQLiteStore {
    /// Opens a database, on a thread of the store's own.
    ///
    /// Of several faults, the first of this order is reported, as ``FileStore`` does: another process writes
    /// (`alreadyOpen`, after the busy timeout); the file is empty, is not a database of ours, is of a newer format, or
    /// its schema differs in more than additions (all `incompatible`, and the file is left untouched); the file is
    /// damaged (`unavailable`). Damage that hides the beginning of the file comes before the format.
    ///
    /// - Throws: As above; `unavailable` also where files or folders cannot be had.
    public static func open(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> SQLiteStore {
        try await open(configuration, schemas: schemas, makeThread: StoreThread.init(label:))
    }

    /// Opens a database on threads that somebody else provides.
    static func open(
        _ configuration: Configuration, schemas: SchemaSet, makeThread: @Sendable (String) -> StoreThread
    ) async throws(PersistencyError) -> SQLiteStore {
        let plan = try SQLPlan(schemas)
        let thread = makeThread("larder.sqlite.write")
        let scans = ScanThreads { makeThread("larder.sqlite.scan.\($0)") }
        let parts = try await thread.run { () throws(PersistencyError) in
            try Parts(configuration, plan, thread: thread, scans: scans)
        }
        return SQLiteStore(parts)
    }

    /// What a store is made of.
    struct Parts: Sendable {
        let configuration: Configuration
        let plan: SQLPlan
        let hub: ChangeHub
        let source: Source
        let lock: LockFile?
        let scans: ScanThreads
        let workLog: WorkLog
        let traits: StoreTraits

        init(
            _ configuration: Configuration, _ plan: SQLPlan, thread: StoreThread, scans: ScanThreads
        ) throws(PersistencyError) {
            self.configuration = configuration
            self.plan = plan
            self.scans = scans
            let workLog = WorkLog()
            self.workLog = workLog
            workLog.note(.lockWait, on: thread)
            let opening = SQLiteOpening(configuration: configuration, plan: plan)
            var capabilities: Set<Capability> = [.grouping, .countsStatements, .tellsThreads]
            let buffer = 1024
            let hub = ChangeHub(buffer: buffer)
            self.hub = hub
            func writeAccess(_ connection: SQLiteConnection, pageBytes: Int?, files: [String] = []) -> SQLiteWriteAccess
            {
                let syncs = pageBytes != nil && configuration.durability == .full
                let writer = SQLiteWriter(connection, plan: plan, hub: hub, syncs: syncs, files: OpenedFiles(files)) {
                    workLog.note($0, on: thread)
                }
                let busyMilliseconds = configuration.busyMilliseconds
                let checkpoints = SQLiteCheckpoints(writer: writer, thread: thread, scans: scans)
                let queue = CommitQueue(thread: thread) { group in
                    writer.commit(group, busyMilliseconds: busyMilliseconds)
                } finish: {
                    checkpoints.runIfDue()
                }
                return SQLiteWriteAccess(
                    writer: writer, queue: queue, checkpoints: checkpoints, thread: thread, pageBytes: pageBytes)
            }
            switch (configuration.location, configuration.access) {
            case (.memory, _):
                lock = nil
                source = .memory(writeAccess(try opening.memory(), pageBytes: nil))
                capabilities.formUnion([.soleWriter, .countsWrites])
            case (.file(let path), .readWrite):
                let files = try SQLiteFiles(path, makingFolder: true)
                try opening.refuseForeign(files)
                lock = try opening.lock(files)
                let connection = try opening.writer(files)
                // A page comes into the log with a header of 24 bytes.
                let pageBytes = Int(try connection.integer("PRAGMA page_size")) + 24
                let pool = SQLiteReaderPool(try opening.reader(files)) { busyMilliseconds throws(PersistencyError) in
                    try opening.reader(files, busyMilliseconds: busyMilliseconds)
                }
                source = .file(pool, writeAccess(connection, pageBytes: pageBytes, files: files.opened))
                capabilities.formUnion([.durable, .soleWriter, .sharedReading, .countsWrites, .countsBytes])
            case (.file(let path), let access):
                let files = try SQLiteFiles(path, makingFolder: access == .readOnlyAfterUpgrade)
                lock = nil
                if access == .readOnlyAfterUpgrade { try opening.upgrade(files) }
                let pool = SQLiteReaderPool(try opening.firstReader(files)) {
                    busyMilliseconds throws(PersistencyError) in
                    try opening.reader(files, busyMilliseconds: busyMilliseconds)
                }
                source = .shared(pool)
                capabilities.formUnion([.durable, .sharedReading])
            }
            traits = StoreTraits(kind: "sqlite", capabilities: capabilities, changeBuffer: buffer)
        }
    }
}
