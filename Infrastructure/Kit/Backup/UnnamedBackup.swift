package import LarderData
package import LarderDomain
private import Synchronization

/// A backup in a file without a name: its space is freed with the last reference, or with the process, however it ends.
package final class UnnamedBackup: Sendable {
    private let file: any OpenFile
    /// The size of the file in bytes.
    package let size: Int

    fileprivate init(_ file: any OpenFile, size: Int) {
        (self.file, self.size) = (file, size)
    }

    /// At most `limit` bytes from an offset; fewer at the end.
    package func read(at offset: Int, atMost limit: Int) throws(PersistencyError) -> [UInt8] {
        try file.read(limit, at: offset)
    }
}

extension Backup {
    /// Writes a backup of a store, as ``write(_:to:replacing:progress:)``, to a file whose name is removed as soon as the
    /// file is created.
    ///
    /// - Parameter path: A path that does not exist.
    package static func writeUnnamed(
        _ store: any Store, at path: String, progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> UnnamedBackup {
        let files = UnnamedFiles()
        let backup = try await BackupDraft(path, replacing: false, files).write(store, progress)
        guard let file = files.last else {
            throw .failed("the backup has no file")
        }
        return UnnamedBackup(file, size: backup.size)
    }
}

/// Creates files and removes their names at once; there is nothing to rename or to remove afterwards.
private final class UnnamedFiles: FileSystem {
    private let base = POSIXFileSystem()
    private let created = Mutex<(any OpenFile)?>(nil)

    /// The last created file.
    var last: (any OpenFile)? { created.withLock { $0 } }

    func create(_ path: String) throws(PersistencyError) -> any OpenFile {
        let file = try base.create(path)
        try base.remove(path)
        created.withLock { $0 = file }
        return file
    }

    func rename(_ path: String, to new: String) {}
    func remove(_ path: String) {}
    func syncFolder(_ path: String) {}
    func status(_ path: String) throws(PersistencyError) -> FileStatus? { try base.status(path) }
    func makeFolder(_ path: String) throws(PersistencyError) { try base.makeFolder(path) }
    func open(_ path: String) throws(PersistencyError) -> any OpenFile { try base.open(path) }

    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock {
        try base.lock(path, purpose: purpose)
    }
}
