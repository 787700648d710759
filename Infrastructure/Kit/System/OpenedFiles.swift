internal import LarderDomain

/// The open files of a store, by path. Detects a deleted or replaced path: writes to the open file would then be lost
/// with the process.
struct OpenedFiles: Sendable {
    private let fileSystem: any FileSystem
    private var files: [(path: String, identity: FileIdentity?)] = []

    /// Records the files that the paths name now.
    init(_ paths: [String], _ fileSystem: any FileSystem = POSIXFileSystem()) throws(PersistencyError) {
        self.fileSystem = fileSystem
        for path in paths { files.append((path, try fileSystem.status(path)?.identity)) }
    }

    /// Checks that each recorded file still has its path: one system call each, about 1 µs. Throws `unavailable`
    /// (`failed`) with the path.
    func check() throws(PersistencyError) {
        for (path, identity) in files {
            let found = try fileSystem.status(path)?.identity
            if let identity, found != identity { throw .replaced(path) }
        }
    }
}
