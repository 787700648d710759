internal import LarderDomain

/// The paths and the state of a database's files.
///
/// No member opens a database that may be open already: POSIX locks belong to the process, so closing any descriptor of
/// the file would release SQLite's locks.
struct SQLiteFiles: Sendable {
    /// The absolute path without symbolic links, so that a database has exactly one lock file.
    let path: String

    /// - Parameter makingFolder: Whether missing folders are created, accessible only to the owner.
    init(_ path: String, makingFolder: Bool = false) throws(PersistencyError) {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw .failed("the path of the database is empty, a folder, or contains U+0000")
        }
        if makingFolder, POSIXFileSystem().size(path) == nil { try POSIXFileSystem().makeFolders(path.folder) }
        self.path = POSIXFileSystem().resolved(path)
    }

    var lockPath: String { path + ".lock" }
    var logPath: String { path + "-wal" }
    var journalPath: String { path + "-journal" }
    /// The index of the log, which readers and writers share.
    var indexPath: String { path + "-shm" }
    /// The temporary path of a new database until it is complete.
    var draftPath: String { Self.draft(of: path) }
    /// The temporary path of a file; no other program uses its name.
    static func draft(of path: String) -> String { path + ".larder-new" }
    /// The files that a writing store has open.
    var opened: [String] { [path, logPath, indexPath, lockPath] }
}

extension SQLiteFiles {
    /// The files' inodes, sizes and modification times, to detect changes.
    struct Stamp: Equatable {
        private let path: String
        private let parts: [Int]

        init(_ path: String) {
            self.path = path
            parts = ["", "-wal"].flatMap { POSIXFileSystem().stamp(path + $0) }
        }

        var now: Stamp { Stamp(path) }
    }

    var exists: Bool { size != nil }

    /// The size of the file in bytes, or `nil` if it does not exist.
    var size: Int? { POSIXFileSystem().size(path) }

    /// Rejects a file with several names. Reading it through any of them is permitted.
    func checkNames() throws(PersistencyError) { try POSIXFileSystem().status(path)?.checkNames(path) }

    var hasLockFile: Bool { POSIXFileSystem().size(lockPath) != nil }

    /// Whether the log may contain commits that are not in the database yet.
    var hasLog: Bool { logSize > 0 }

    /// The size of the log in bytes; 0 without a log.
    var logSize: Int { POSIXFileSystem().size(logPath) ?? 0 }

    /// Whether a process may have the database open, or was killed while it had.
    var isInUse: Bool { Self.companions.contains { POSIXFileSystem().size(path + $0) != nil } }

    /// Whether an interrupted transaction of a database in another mode must be rolled back.
    var hasJournal: Bool { (POSIXFileSystem().size(journalPath) ?? 0) > 0 }

    /// The URI of the file as immutable: SQLite then neither locks nor recovers it, and creates no files.
    var immutableName: String {
        let escaped = path.utf8.percentEncoded { $0 > 0x20 && $0 < 0x7F && !"%?#".utf8.contains($0) }
        return "file:" + escaped + "?immutable=1"
    }
}

extension SQLiteFiles {
    /// Creates a database under a temporary name and renames it once it is complete and synced, so that a killed
    /// process leaves no database rather than an empty one.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing file is replaced. Its log must be empty, and the caller have the lock.
    ///   - fill: Fills the empty file at this path, and closes it.
    func create(
        replacing: Bool = false, _ fill: (String) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let fileSystem = POSIXFileSystem()
        // A dangling or circular link is not replaced either. A draft may remain from a killed process. SQLite creates
        // its other files with the mode of the draft.
        let isNew = try fileSystem.status(path) == nil
        guard isNew || replacing else { throw .occupied(path) }
        if isNew { try refuseLeftovers() }
        for suffix in Self.companions { try fileSystem.removeIfThere(draftPath + suffix) }
        let draft = try DraftFile(draftPath, fileSystem)
        defer { for suffix in Self.companions { try? fileSystem.removeIfThere(draftPath + suffix) } }
        try fill(draftPath)
        // SQLite would use these files with the new database. They are empty, or an index without a log.
        for suffix in Self.companions { try fileSystem.removeIfThere(path + suffix) }
        try fileSystem.syncFolder(path.folder)
        try draft.rename(to: path)
    }

    /// The suffixes of the files with which SQLite recovers a database and coordinates its users.
    private static let companions = ["-journal", "-wal", "-shm"]

    /// SQLite would apply the log of a deleted database to the new one.
    private func refuseLeftovers() throws(PersistencyError) {
        let leftovers = (hasLog ? [logPath] : []) + (hasJournal ? [journalPath] : [])
        if leftovers.isEmpty { return }
        throw .failed(
            "no database exists at \(path), but files of a deleted or moved one do: "
                + "\(leftovers.joined(separator: ", ")). No file was changed. Put that database back: these files may "
                + "contain its last commits. To create a new database, move them away first")
    }
}
