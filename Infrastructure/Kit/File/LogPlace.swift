internal import LarderDomain

struct LogPlace: Sendable {
    /// The folder, with a slash at its end, so that it may be a symbolic link.
    let folder: String
    let fileSystem: any FileSystem

    init(_ folder: String, _ fileSystem: any FileSystem) throws(PersistencyError) {
        guard !folder.isEmpty, !folder.utf8.contains(0) else {
            throw .unavailable(Unavailable(.failed, "the path of the store is empty or has a U+0000"))
        }
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.fileSystem = fileSystem
    }

    var log: String { folder + "larder.log" }
    var lock: String { folder + "larder.lock" }
    var marker: String { folder + "larder.closed" }
    /// What is to be the log.
    var draft: String { folder + "larder.new" }

    func removeIfThere(_ path: String) throws(PersistencyError) {
        if try fileSystem.status(path) != nil { try fileSystem.remove(path) }
    }

    /// Leaves a marker, for good.
    func write(_ marker: LogMarker) throws(PersistencyError) {
        try removeIfThere(self.marker)
        let file = try fileSystem.create(self.marker)
        try file.writeAll(marker.bytes, at: 0, path: self.marker)
        try file.sync()
        try fileSystem.syncFolder(folder)
    }

    /// Refuses what stands in the log's place and is none.
    func checkLog(_ found: FileStatus) throws(PersistencyError) {
        guard found.kind == .file, found.size > 0 else {
            throw .incompatible("\(log) is \(found.kind == .file ? "empty" : "no regular file"), so it is no log")
        }
    }

    /// The marker, unless its writing was cut short.
    func readMarker() throws(PersistencyError) -> LogMarker? {
        guard try fileSystem.status(marker)?.kind == .file else { return nil }
        return LogMarker(try fileSystem.open(marker).read(LogMarker.size + 1, at: 0))
    }

    /// Poisons the log on failure, because the state of the device is unknown. Throws `unavailable` with a
    /// ``LogPoison``.
    func orPoison<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        do throws(PersistencyError) {
            return try body()
        } catch {
            guard case .unavailable(let trouble) = error else { throw error }
            let message = "\(trouble.message); the store must be opened again before it is written"
            throw .unavailable(Unavailable(.failed, message, cause: LogPoison(cause: trouble.cause)))
        }
    }
}

/// The cause of an error after which nothing may be written before the log was opened again.
struct LogPoison: Error {
    let cause: (any Error)?
}

extension PersistencyError {
    /// Whether the state of the device is unknown; after every other error the log is as it was.
    var isPoison: Bool { if case .unavailable(let trouble) = self { trouble.cause is LogPoison } else { false } }
}
