public import LarderData
public import LarderDomain

extension SQLiteStore {
    /// Opens a database, on the store's thread.
    ///
    /// Of several faults, the first in this order is reported, as by ``FileStore``: another process writes
    /// (`alreadyOpen`, after the busy timeout); the file is empty, is not a Larder database, has a newer format, or its
    /// schema differs in more than additions (all `incompatible`, and the file is left unchanged); the file is damaged
    /// (`unavailable`). Damage to the start of the file is reported before its format.
    ///
    /// - Throws: As above; `unavailable` also if files or folders cannot be opened or created, and with a
    ///   `PassphraseError` as its cause if the passphrase does not open the database.
    public static func open(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> SQLiteStore {
        try await open(configuration, schemas: schemas, makeThread: StoreThread.init(label:))
    }

    /// Opens a database on threads from a factory.
    static func open(
        _ configuration: Configuration, schemas: SchemaSet, makeThread: @Sendable (String) -> StoreThread
    ) async throws(PersistencyError) -> SQLiteStore {
        try SQLiteLibrary.checkSupport(of: configuration.passphrase, configuration.location)
        let plan = try SQLPlan(schemas)
        let thread = makeThread("store.sqlite.write")
        let scans = ScanThreads { makeThread("store.sqlite.scan.\($0)") }
        return try await thread.run { () throws(PersistencyError) in
            try SQLiteStore(configuration, plan, thread: thread, scans: scans)
        }
    }

    /// The recorded schema of a database and the pending changes, without opening it for writing: another process may.
    ///
    /// - Throws: `incompatible` if the changes cannot be planned; `unavailable` if there is no readable database.
    /// - Complexity: Independent of the size of the database.
    public static func schemaStatus(
        path: String, schemas: SchemaSet, passphrase: Passphrase? = nil
    ) throws(PersistencyError) -> SchemaStatus {
        let configuration = Configuration(.file(path), access: .readOnly, passphrase: passphrase)
        try SQLiteLibrary.checkSupport(of: passphrase, configuration.location)
        let opening = SQLiteOpening(configuration: configuration, plan: try SQLPlan(schemas))
        let files = try SQLiteFiles(path)
        guard files.exists else { throw .failed("no database exists at \(files.path)") }
        let pending = try opening.migration(on: opening.checkedReader(files)).pending()
        return SchemaStatus(pending, statements: try SQLMigrationScript(pending, .sqlite).texts)
    }
}
