internal import LarderDomain

extension SQLiteFiles {
    /// Creates a database under a temporary name and renames it once it is complete and synced, so that a killed
    /// process leaves no database rather than an empty one.
    ///
    /// - Parameter fill: Fills the empty file at this path, and closes it.
    func create(_ fill: (String) throws(PersistencyError) -> Void) throws(PersistencyError) {
        let fileSystem = POSIXFileSystem()
        // A dangling or circular link is not replaced either. A draft may remain from a killed process. SQLite creates
        // its other files with the mode of the draft.
        if try fileSystem.status(path) != nil { throw .occupied(path) }
        try removeDraft(fileSystem)
        _ = try fileSystem.create(draftPath)
        do throws(PersistencyError) {
            try fill(draftPath)
            try fileSystem.rename(draftPath, to: path)
            try fileSystem.syncFolder(folder)
        } catch {
            try? removeDraft(fileSystem)
            throw error
        }
        try? removeDraft(fileSystem)
    }

    private func removeDraft(_ fileSystem: POSIXFileSystem) throws(PersistencyError) {
        for suffix in ["", "-journal", "-wal", "-shm"] where try fileSystem.status(draftPath + suffix) != nil {
            try fileSystem.remove(draftPath + suffix)
        }
    }

    var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
}
