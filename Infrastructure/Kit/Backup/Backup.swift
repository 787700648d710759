public import LarderData
public import LarderDomain

/// A complete backup of a store in one file: every root with its version, the schemas, and their history.
///
/// `FORMAT.md` describes the format, and `docs/backup.md` the guarantees. Any store can be backed up and restored into any
/// other.
public struct Backup: Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// The size of the file in bytes.
    public let size: Int
    /// The time at which the backup was completed.
    public let time: Timestamp
    /// The last commit that the backup contains.
    public let token: ChangeToken
    /// The version of the schemas.
    public let schemaVersion: Int
    /// The content of each entity, in the order of the schemas.
    public let entities: [EntityDigest]

    /// The number of roots.
    public var count: Int { entities.reduce(0) { $0 + $1.count } }

    /// Reads a whole backup, and checks it: checksums, completeness, order, counts, digests, and that each object fits its
    /// schema. Uniqueness and references are checked by a restore.
    ///
    /// - Throws: `incompatible` for a file that is not a complete backup, with the byte, or has a newer format;
    ///   `unavailable` for one that cannot be read.
    /// - Complexity: O(*n*) for *n* bytes, with one record in memory.
    public static func verify(
        _ path: String, progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> Backup {
        try await StoreThread(label: "backup").run { () throws(PersistencyError) in
            var reader = try BackupReader(path)
            return try reader.forEach(progress)
        }
    }

    /// The last commit that a backup contains. Only the start of the file is read and checked.
    public static func token(of path: String) throws(PersistencyError) -> ChangeToken {
        let head = try BackupReader(path).head
        return ChangeToken(lifetime: head.lifetime, position: head.sequence)
    }

    /// Writes a backup of a store, which stays in use: all of its content as of one commit.
    ///
    /// The file is written under another name in the same folder, synced, read and checked, and then renamed. After any
    /// error, nothing exists under its final name that did not exist before.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - path: The path of the new file.
    ///   - replacing: Whether an existing file is replaced.
    ///   - progress: Called on a thread of the store.
    /// - Throws: `unavailable` if the file exists or cannot be written, or the store cannot be read; `busy` for a store
    ///   of another package that offers no snapshot and changes all the time; `cancelled`.
    /// - Complexity: O(*n*). A ``MemoryStore`` and a ``FileStore`` share the memory of objects that do not change
    ///   meanwhile. A ``SQLiteStore`` is copied to a temporary file in pages; other stores are read in pages.
    public static func write(
        _ store: any Store, to path: String, replacing: Bool = false, progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> Backup {
        let draft = BackupDraft(path, replacing: replacing, POSIXFileSystem())
        return try await draft.write(store, progress)
    }

    /// Receives a backup from another program, such as a service that has the store open, and checks it before it gets
    /// its name; see ``write(_:to:replacing:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the new file.
    ///   - replacing: Whether an existing file is replaced.
    ///   - fill: Writes the backup to the file at the path that it receives, which is empty and in the same folder.
    /// - Throws: The errors of `fill`; those of ``verify(_:progress:)`` for a file that is not a complete backup.
    public static func receive(
        to path: String, replacing: Bool = false, _ fill: (_ draft: String) async throws -> Void
    ) async throws -> Backup {
        try await BackupDraft(path, replacing: replacing, POSIXFileSystem()).receive(fill)
    }
}

/// Receives the number of roots that a backup or a restore has processed. The roots of a SQLite store are copied first,
/// and counted again when the backup is written.
public typealias BackupProgress = @Sendable (Int) -> Void
