internal import LarderDomain

struct LogPlace: Sendable {
    /// The folder, with a trailing slash, so that it may be a symbolic link.
    let folder: String
    let fileSystem: any FileSystem

    init(_ folder: String, _ fileSystem: any FileSystem) throws(PersistencyError) {
        guard !folder.isEmpty, !folder.utf8.contains(0) else {
            throw .failed("the path of the store is empty or contains U+0000")
        }
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.fileSystem = fileSystem
    }

    var log: String { folder + "larder.log" }
    var lock: String { folder + "larder.lock" }
    var marker: String { folder + "larder.closed" }
    /// The next log, until it is renamed to ``log``.
    var draft: String { folder + "larder.new" }

    /// The copy of the log of an earlier version of the schemas, as it was before a migration.
    func copy(ofVersion version: Int) -> String { folder + "larder.version-\(version)" }

    /// Writes a marker durably.
    func write(_ marker: LogMarker) throws(PersistencyError) {
        try fileSystem.removeIfThere(self.marker)
        let file = try fileSystem.create(self.marker)
        try file.writeAll(marker.bytes, at: 0, path: self.marker)
        try file.sync()
        try fileSystem.syncFolder(folder)
    }

    /// The status of the log. Throws `unavailable` if there is none, and `incompatible` as ``checkLog(_:)``.
    func existingLog() throws(PersistencyError) -> FileStatus {
        guard let found = try fileSystem.status(log) else { throw .failed("no log exists at \(log)") }
        try checkLog(found)
        return found
    }

    /// Rejects an empty file, and anything but a regular file.
    func checkLog(_ found: FileStatus) throws(PersistencyError) {
        guard found.isFile, found.size > 0 else {
            throw .incompatible("\(log) is \(found.isFile ? "empty" : "not a regular file"), so it is not a log")
        }
    }

    /// Reads the marker; `nil` if it is missing or torn.
    func readMarker() throws(PersistencyError) -> LogMarker? {
        guard try fileSystem.status(marker)?.isFile == true else { return nil }
        return LogMarker(try fileSystem.openForReading(marker).read(LogMarker.size + 1, at: 0))
    }

    /// Poisons the log on failure, because the state of the device is unknown. Throws `unavailable` with a
    /// ``LogPoison``.
    func orPoison<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        do throws(PersistencyError) {
            return try body()
        } catch {
            guard case .unavailable(let trouble) = error else { throw error }
            let message = "\(trouble.message); open the store again before you write"
            throw .failed(message, cause: LogPoison(cause: trouble.cause))
        }
    }
}

/// The cause of an error after which nothing may be written until the log is opened again.
struct LogPoison: Error {
    let cause: (any Error)?
}

extension PersistencyError {
    /// Whether the state of the device is unknown. After any other error, the log is unchanged.
    var isPoison: Bool { if case .unavailable(let trouble) = self { trouble.cause is LogPoison } else { false } }
}
