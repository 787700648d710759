extension SQLiteStore {
    /// Where a database is and how it is used.
    public struct Configuration: Sendable {
        /// Where it is.
        public var location: Location
        /// Whether it is written.
        public var access: Access
        /// When a commit is acknowledged.
        public var durability: Durability
        /// How long opening and commits wait for another process that writes.
        public var busyTimeout: Duration
        /// What it is opened for, told to other processes that are kept out: `serving http://127.0.0.1:8080`.
        public var purpose: String?
        /// Receives what opening has dropped from the end of the log, if anything. Called on the store's thread.
        public var onRecovery: (@Sendable (DroppedTail) -> Void)?

        public init(
            _ location: Location, access: Access = .readWrite, durability: Durability = .full,
            busyTimeout: Duration = .seconds(5), purpose: String? = nil,
            onRecovery: (@Sendable (DroppedTail) -> Void)? = nil
        ) {
            (self.onRecovery, self.location, self.access) = (onRecovery, location, access)
            (self.durability, self.busyTimeout, self.purpose) = (durability, busyTimeout, purpose)
        }
    }

    /// Where a database is.
    public enum Location: Sendable, Hashable {
        /// The path of a file; the folder is made if it is missing.
        case file(String)
        /// In memory, gone when the store is closed.
        case memory
    }

    /// Whether a database is written.
    public enum Access: Sendable, Hashable {
        /// By this store, and by no other at the same time; a file that is missing is made.
        case readWrite
        /// By another process, or not at all. The file must be there and have the schema asked for.
        ///
        /// In a folder that cannot be written, a database is read if it was closed properly (the folder then has no
        /// `-wal` file beside it), or if both its `-wal` and `-shm` files are there.
        case readOnly
        /// As `readOnly`, after the database was made if it is missing, and pending additions to its schema were applied.
        /// Only then is the writer's lock needed, for a moment.
        case readOnlyAfterUpgrade
    }

    /// When a commit is acknowledged.
    public enum Durability: String, Sendable, Hashable, CaseIterable {
        /// When it is on the device: it survives a loss of power. Commits that wait share one sync.
        case full
        /// When the operating system has it: it survives the end of the process, not always a loss of power.
        case normal
        /// As `normal`, and the database may be damaged by a loss of power.
        case off
    }
}

extension SQLiteStore.Configuration {
    var busyMilliseconds: Int32 {
        let (seconds, attoseconds) = busyTimeout.components
        guard seconds < Int64(Int32.max / 1000) else { return .max }
        return Int32(max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
