public import LarderData
public import LarderDomain

extension FileStore {
    /// The location of a store, and the options for opening it.
    public struct Configuration: Sendable {
        /// The folder. A missing folder is created with access for its owner only.
        public var folder: String
        /// Whether the store only reads: it changes and creates no file, and refuses commits. It has the state of the log at
        /// its opening. A writing process is excluded if the folder has a lock file.
        public var isReadOnly = false
        /// How long opening waits for another process that has the store open.
        public var busyTimeout: Duration
        /// The purpose, which locked-out processes report: `serving http://127.0.0.1:8080`.
        public var purpose: String?
        /// Receives the end of the log that opening has dropped, if any. Called on the store's thread.
        public var onRecovery: (@Sendable (DroppedTail) -> Void)?
        /// The retained commits; `nil` retains none, and deletes those that the log has.
        public var journal: JournalBounds?
        /// The changes of the schemas that opening applies. A copy of the log of version 1 is `larder.version-1`.
        public var migration: MigrationOptions
        /// The passphrase of a sealed log, or of the log that opening creates; `nil` for a plain one.
        public var sealing: Sealing?

        /// Describes a store in a folder; by default, one with a plain log that opening may create.
        public init(
            _ folder: String, busyTimeout: Duration = .seconds(5), purpose: String? = nil,
            onRecovery: (@Sendable (DroppedTail) -> Void)? = nil, journal: JournalBounds? = JournalBounds(),
            migration: MigrationOptions = MigrationOptions(), sealing: Sealing? = nil
        ) {
            (self.folder, self.busyTimeout, self.purpose) = (folder, busyTimeout, purpose)
            (self.onRecovery, self.journal, self.migration, self.sealing) = (onRecovery, journal, migration, sealing)
        }
    }

    /// Opens a store and reads all of its data, on the store's thread.
    ///
    /// Of several faults, the first in the order of ``SQLiteStore/open(_:schemas:)`` is reported; for a damaged log,
    /// `unavailable` names the byte. A rejected log is left unchanged.
    ///
    /// - Throws: `alreadyOpen`, `incompatible`, or `unavailable`, also if files or folders are not accessible.
    /// - Complexity: O(*n*) for a log of *n* bytes.
    public static func open(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> FileStore {
        let opening = LogOpening(schemas: schemas, salt: { UInt64.random(in: .min ... .max) })
        return try await open(configuration, opening, fileSystem: POSIXFileSystem())
    }

    /// The recorded schema of a store and the pending changes, without opening it: another process may have it open.
    ///
    /// - Throws: `incompatible` if the changes cannot be planned; `unavailable` if there is no readable log.
    public static func schemaStatus(
        inFolder folder: String, schemas: SchemaSet, sealing: Sealing? = nil
    ) throws(PersistencyError) -> SchemaStatus {
        let place = try LogPlace(folder, POSIXFileSystem())
        _ = try place.existingLog()
        let file = try POSIXFile(reading: place.log)
        let head = try LogReplay(file, path: place.log, declared: schemas, sealing: sealing).head
        return SchemaStatus(try SchemaPlanner.plan(schemas, over: head.record))
    }

    /// Opens a store with the given file system, salts and threads.
    static func open(
        _ configuration: Configuration, _ opening: LogOpening, fileSystem: any FileSystem,
        makeThread: @Sendable (String) -> StoreThread = StoreThread.init(label:)
    ) async throws(PersistencyError) -> FileStore {
        let place = try LogPlace(configuration.folder, fileSystem)
        let thread = makeThread("store.file.write")
        let engine = try await thread.run { () throws(PersistencyError) in try opening.open(place, configuration) }
        return FileStore(engine, schemas: opening.schemas, thread: thread, scanThread: makeThread("store.file.scan"))
    }
}
