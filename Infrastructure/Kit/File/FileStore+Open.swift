public import LarderData
public import LarderDomain

extension FileStore {
    /// Where a store is and how it is used.
    public struct Configuration: Sendable {
        /// The folder; it is made, for its owner alone, if it is missing.
        public var folder: String
        /// How long opening waits for another process that has the store open.
        public var busyTimeout: Duration
        /// What it is opened for, told to other processes that are kept out: `serving http://127.0.0.1:8080`.
        public var purpose: String?
        /// Receives what opening has dropped from the end of the log, if anything. Called on the store's thread.
        public var onRecovery: (@Sendable (DroppedTail) -> Void)?

        public init(
            _ folder: String, busyTimeout: Duration = .seconds(5), purpose: String? = nil,
            onRecovery: (@Sendable (DroppedTail) -> Void)? = nil
        ) {
            (self.folder, self.busyTimeout, self.purpose) = (folder, busyTimeout, purpose)
            self.onRecovery = onRecovery
        }
    }

    /// Opens a store, on a thread of its own, and reads all that it keeps.
    ///
    /// Of several faults, the first of this order is reported, as ``SQLiteStore`` does: another process has the store open
    /// (`alreadyOpen`, after the busy timeout); the log is empty, is not a log, is of a newer format, or its schemas
    /// differ in more than additions (all `incompatible`); the log is damaged (`unavailable`, with the byte). Damage that
    /// hides the beginning of the log comes before the format. A log that is refused is left untouched.
    ///
    /// - Throws: As above; `unavailable` also where files or folders cannot be had.
    /// - Complexity: O(*n*) for a log of *n* bytes.
    public static func open(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> FileStore {
        let opening = LogOpening(codec: LogCodec(schemas), salt: { UInt64.random(in: .min ... .max) })
        return try await open(configuration, opening, fileSystem: POSIXFileSystem())
    }

    /// Opens a store on a file system, with salts and on threads, that somebody else provides.
    static func open(
        _ configuration: Configuration, _ opening: LogOpening, fileSystem: any FileSystem,
        makeThread: @Sendable (String) -> StoreThread = StoreThread.init(label:)
    ) async throws(PersistencyError) -> FileStore {
        let place = try LogPlace(configuration.folder, fileSystem)
        let thread = makeThread("larder.file.write")
        let engine = try await thread.run { () throws(PersistencyError) in
            try opening.open(place, configuration)
        }
        return FileStore(
            engine, schemas: opening.codec.schemas, thread: thread, scanThread: makeThread("larder.file.scan"))
    }
}
