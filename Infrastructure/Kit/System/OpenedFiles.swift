internal import LarderDomain

/// The files that a store has open, by path. Detects that a path was deleted or replaced since: what is written to the
/// open file would then be lost with the process.
struct OpenedFiles: Sendable {
    private let files: [(path: String, identity: FileIdentity)]

    /// Takes the files that the paths name now; a path that names none is left out.
    init(_ paths: [String]) {
        files = paths.compactMap { path in FileIdentity(path: path).map { (path, $0) } }
    }

    /// Checks that each path still names the same file: one system call each, about 1 µs.
    ///
    /// - Throws: `unavailable` (`failed`) with the path.
    func check() throws(PersistencyError) {
        for (path, identity) in files where FileIdentity(path: path) != identity {
            throw .replaced(path)
        }
    }
}
