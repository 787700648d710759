internal import LarderData
public import LarderDomain

/// Reads the log of a ``FileStore`` record by record, without changing or locking it. A store may have the log open:
/// records that it writes after the end was reached are not read.
///
/// Checks the records only, not the marker of a clean close.
public struct LogInspector: Sendable {
    /// The number of retries for a last record that may be incomplete because of a concurrent write.
    static let patience = 5

    /// The path of the log.
    public let path: String
    private let pause: @Sendable () async -> Void
    private var walk: LogWalk
    private var hasEnded = false

    /// - Parameter pause: Waits briefly for a concurrent write to finish.
    init(
        _ file: any OpenFile, path: String, sealing: FileStore.Sealing? = nil,
        pause: @escaping @Sendable () async -> Void
    ) throws(PersistencyError) {
        (self.path, self.pause) = (path, pause)
        walk = try LogWalk(file, path: path, sealing: sealing)
    }

    /// The next record; after the last one, and after damage, `nil`.
    ///
    /// - Throws: `unavailable` if the log cannot be read; `incompatible` for a file that is not a log or has a newer
    ///   format.
    /// - Complexity: O(*n*) time and memory for a record of *n* bytes.
    public mutating func next() async throws(PersistencyError) -> Entry? {
        if hasEnded { return nil }
        var step = try walk.next()
        for _ in 0..<Self.patience {
            guard case .torn = step else { break }
            await pause()
            try walk.reload()
            step = try walk.next()
        }
        let content: Entry.Content
        switch step {
        case .end: return nil
        case .head(let head): content = .head(sequence: head.sequence)
        case .record(let record): content = Entry.Content(record)
        case .torn: content = .cutShort
        case .damage: content = .damage
        }
        hasEnded = content == .cutShort || content == .damage
        return Entry(offset: walk.end.length, size: walk.size, content: content)
    }
}

extension LogInspector {
    /// Opens the log in a store's folder for reading.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - sealing: The passphrase of a sealed log, `nil` for a plain one.
    /// - Throws: `unavailable` if the log is missing or unreadable; `incompatible` if the file is not a log.
    public init(folder: String, sealing: FileStore.Sealing? = nil) throws(PersistencyError) {
        let place = try LogPlace(folder, POSIXFileSystem())
        _ = try place.existingLog()
        let file = try POSIXFile(reading: place.log)
        try self.init(file, path: place.log, sealing: sealing) {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The current size of the log in bytes.
    ///
    /// - Throws: `unavailable` if there is no log; `incompatible` if the file is not a log.
    public static func size(inFolder folder: String) throws(PersistencyError) -> Int {
        try LogPlace(folder, POSIXFileSystem()).existingLog().size
    }
}

extension LogInspector.Entry.Content {
    fileprivate init(_ record: LogRecord) {
        switch record {
        case .journal(let commits): self = .journal(commits.count)
        case .roots(let roots): self = .roots(roots.count)
        case .end(let roots): self = .end(roots: roots)
        case .commits(let first, _, let all):
            self = .commits(
                first...first + Int64(all.count) - 1, inserts: all.reduce(0) { $0 + $1.inserts.count },
                updates: all.reduce(0) { $0 + $1.updates.count }, deletes: all.reduce(0) { $0 + $1.deletes.count },
                removals: all.reduce(0) { $0 + $1.removals.count })
        }
    }
}
