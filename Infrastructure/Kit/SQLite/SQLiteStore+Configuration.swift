public import LarderData

extension SQLiteStore {
    /// The location of a database, and how it is used.
    public struct Configuration: Sendable {
        /// The location of the database.
        public var location: Location
        /// Whether the store writes.
        public var access: Access
        /// When a commit is acknowledged.
        public var durability: Durability
        /// How long opening, commits and scans wait for a lock of another process.
        public var busyTimeout: Duration
        /// The purpose of the lock, reported to processes that cannot acquire it: `serving http://127.0.0.1:8080`.
        public var purpose: String?
        /// Receives the tail of the log that opening has dropped, if any. Called on the store's thread.
        public var onRecovery: (@Sendable (DroppedTail) -> Void)?
        /// Receives reads that keep the log from restarting, once until it restarts. Must not block.
        public var onBlockedLog: (@Sendable (LogBlockage) -> Void)?
        /// The retained commits; `nil` retains none, and deletes those that the database has. A read-only store follows
        /// the journal of the writing process, if there is one.
        public var journal: JournalBounds?
        /// The changes of the schemas that opening applies. A copy of version 1 has the path of the database, and
        /// `.version-1`.
        public var migration: MigrationOptions
        /// The passphrase of a sealed database, or `nil` for a plain one. Requires the trait `SQLCipher`. A database in
        /// memory ignores it.
        public var passphrase: Passphrase?

        /// Describes a database; by default, a missing one is created, and a commit is acknowledged after a sync.
        public init(
            _ location: Location, access: Access = .readWrite, durability: Durability = .full,
            busyTimeout: Duration = .seconds(5), purpose: String? = nil,
            onRecovery: (@Sendable (DroppedTail) -> Void)? = nil, journal: JournalBounds? = JournalBounds(),
            migration: MigrationOptions = MigrationOptions(), passphrase: Passphrase? = nil,
            onBlockedLog: (@Sendable (LogBlockage) -> Void)? = nil
        ) {
            (self.onRecovery, self.location, self.access, self.migration) = (onRecovery, location, access, migration)
            (self.durability, self.busyTimeout, self.purpose) = (durability, busyTimeout, purpose)
            (self.journal, self.passphrase, self.onBlockedLog) = (journal, passphrase, onBlockedLog)
        }
    }

    /// The location of a database.
    public enum Location: Sendable, Hashable {
        /// The path of a file. Missing folders are created, except with `readOnly`.
        case file(String)
        /// In memory; discarded when the store is closed.
        case memory
    }

    /// Whether a store writes to its database.
    public enum Access: Sendable, Hashable {
        /// Reads and writes, and excludes other writers. A missing file is created.
        case readWrite
        /// Only reads; another process may write. The file must exist and have the requested schema.
        ///
        /// In a read-only folder, a database can be read if it was closed properly (it then has no `-wal` file), or if
        /// both its `-wal` and `-shm` files exist.
        case readOnly
        /// As `readOnly`, after creating a missing database and applying pending additions to its schema. Only these
        /// require the writer's lock, briefly.
        case readOnlyAfterUpgrade
    }

    /// When a commit is acknowledged.
    public enum Durability: String, Sendable, Hashable, CaseIterable {
        /// After a sync to the device: it survives a loss of power. Pending commits share one sync.
        case full
        /// After a write to the operating system: it survives the end of the process, but not always a loss of power.
        case normal
        /// As `normal`, but a loss of power may damage the database.
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
