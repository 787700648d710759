package import LarderData
package import LarderDomain

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
        var draft = BackupDraft(path, replacing: false, POSIXFileSystem())
        let file = try POSIXFile(temporary: path)
        draft.unnamed = file
        let backup = try await draft.write(store, progress)
        return UnnamedBackup(file, size: backup.size)
    }
}
