internal import LarderDomain

extension SQLiteFiles {
    /// Makes a database under a temporary name and gives it its own name when it is complete and on the device, so that
    /// a process that is killed meanwhile leaves no database rather than an empty one.
    ///
    /// - Parameter fill: Fills the empty file with this path, and closes it.
    func create(_ fill: (String) throws(PersistencyError) -> Void) throws(PersistencyError) {
        let fileSystem = POSIXFileSystem()
        // Also what a process that was killed here has left. SQLite gives its other files the mode of the first.
        // A link that leads nowhere, or in a circle, is not replaced either.
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
