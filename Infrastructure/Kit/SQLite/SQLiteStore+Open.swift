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
        return try await thread.run { () throws(PersistencyError) in
            try SQLiteStore(configuration, plan, thread: thread, scans: scans)
        }
    }
}
