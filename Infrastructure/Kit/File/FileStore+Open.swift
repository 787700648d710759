public import LarderData
public import LarderDomain

extension FileStore {
    /// Where a store is and how it is used.
    public struct Configuration: Sendable {
        /// The folder; it is made, for its owner alone, if it is missing.
        public var folder: String
        /// What it is opened for, told to whoever is kept out meanwhile: `serving http://127.0.0.1:8080`.
        public var purpose: String?

        /// Describes a store.
        public init(_ folder: String, purpose: String? = nil) {
            self.folder = folder
            self.purpose = purpose
        }
    }

    /// Opens a store, on a thread of its own, and reads all that it keeps.
    ///
    /// - Throws: `alreadyOpen` when something else has it open, here or in another process; `incompatible` for a folder
    ///   with something else in the log's place, a log of a newer program, or schemas that differ in more than additions;
    ///   `unavailable` where files or folders cannot be had, and for a log that is damaged (the message names the byte).
    ///   A log that is refused is left untouched.
    /// - Complexity: O(*n*) for a log of *n* bytes.
    public static func open(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> FileStore {
        let opening = LogOpening(codec: LogCodec(schemas)) { UInt64.random(in: .min ... .max) }
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
            try opening.open(place, purpose: configuration.purpose)
        }
        return FileStore(
            engine, schemas: opening.codec.schemas, thread: thread, scanThread: makeThread("larder.file.scan"))
    }
}
