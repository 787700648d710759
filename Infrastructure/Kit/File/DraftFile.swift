internal import LarderDomain

/// A new file under a temporary name. Removed with this object, unless it was renamed.
final class DraftFile {
    let path: String
    let file: any OpenFile
    private let fileSystem: any FileSystem
    private var isRenamed = false

    /// Creates an empty file, accessible to its owner only. Replaces the draft of a killed process.
    init(_ path: String, _ fileSystem: any FileSystem) throws(PersistencyError) {
        try fileSystem.removeIfThere(path)
        (self.path, self.fileSystem) = (path, fileSystem)
        file = try fileSystem.create(path)
    }

    /// - Parameter file: A file without a name, which cannot get one.
    init(unnamed file: any OpenFile, _ fileSystem: any FileSystem) {
        (path, self.file, self.fileSystem, isRenamed) = ("", file, fileSystem, true)
    }

    deinit {
        if !isRenamed { try? fileSystem.remove(path) }
    }

    /// Gives the file, which must be complete and synced, its name in the same folder. Replaces an existing file.
    func rename(to path: String) throws(PersistencyError) {
        try fileSystem.rename(self.path, to: path)
        isRenamed = true
        try fileSystem.syncFolder(path.folder)
    }
}

extension String {
    /// The folder of a path, with a trailing slash.
    var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "./" }
}
