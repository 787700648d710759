internal import LarderData
internal import LarderDomain

/// Appends whole records to the file of a log, and maintains its marker.
///
/// An appended record is on the device when the call returns. A failed call leaves no part of its record there, unless
/// the failure is ``LogPoison``.
struct LogAppender: Sendable {
    let place: LogPlace
    /// Distinguishes the records of this log from those of all others.
    let salt: UInt64
    /// Seals the next record; `nil` in a plain log.
    private(set) var seal: LogSeal?
    /// The total size of all records, and so of the file, in bytes.
    private(set) var length: Int
    private(set) var count: UInt64
    /// Whether a marker of a clean close may exist.
    private(set) var hasMarker: Bool
    private let file: any OpenFile
    private(set) var files: OpenedFiles
    /// The path of the file: the draft's until it is renamed, then the log's.
    private var path: String

    /// Continues a log after its last record.
    init(
        _ place: LogPlace, _ file: any OpenFile, salt: UInt64, seal: LogSeal? = nil, length: Int, count: UInt64,
        hasMarker: Bool
    ) throws(PersistencyError) {
        (self.place, path) = (place, place.log)
        files = try OpenedFiles([place.log, place.lock], place.fileSystem)
        (self.file, self.salt, self.length, self.count) = (file, salt, length, count)
        (self.seal, self.hasMarker) = (seal, hasMarker)
    }

    /// Writes a log as a draft, and renames it over the existing log when the body has written all records.
    static func replacing(
        _ place: LogPlace, salt: UInt64, seal: LogSeal?, _ body: (inout LogAppender) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> LogAppender {
        try place.removeIfThere(place.draft)
        let file = try place.fileSystem.create(place.draft)
        var log = try LogAppender(place, file, salt: salt, length: 0, count: 0, hasMarker: false)
        log.path = place.draft
        do throws(PersistencyError) {
            if let seal { try log.start(seal) }
            try body(&log)
            try place.orPoison { () throws(PersistencyError) in try file.sync() }
            try place.fileSystem.rename(place.draft, to: place.log)
        } catch {
            // The next call removes it too, if this fails.
            if !error.isPoison { try? place.fileSystem.remove(place.draft) }
            throw error
        }
        log.path = place.log
        // Until the folder is synced, a power failure may leave either log.
        try place.orPoison { () throws(PersistencyError) in
            try place.fileSystem.syncFolder(place.folder)
            log.files = try OpenedFiles([place.log, place.lock], place.fileSystem)
        }
        return log
    }

    /// Writes a record without a sync.
    mutating func write(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        guard var next = seal else { return try writePlain(kind, content) }
        try writePlain(kind, next.seal(content, kind, number: count, salt: salt))
        // The chain continues from the last record that was written completely.
        seal = next
    }

    private mutating func start(_ seal: LogSeal) throws(PersistencyError) {
        var seal = seal
        try writePlain(.head, seal.start(salt: salt))
        self.seal = seal
    }

    private mutating func writePlain(
        _ kind: RecordFrame.Kind, _ content: consuming ValueWriter
    ) throws(PersistencyError) {
        let record = content.record(kind, number: count, salt: salt)
        try file.writeAll(record, at: length, path: path)
        length += record.count
        count += 1
    }

    /// Appends a record: one write and one sync.
    mutating func append(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        // An unlinked file accepts records, but they are lost with the process.
        try files.check()
        try removeMarker()
        do throws(PersistencyError) {
            try write(kind, content)
        } catch {
            // A partial record is truncated durably, so that the next opening does not read it.
            try place.orPoison { () throws(PersistencyError) in
                try file.truncate(to: length)
                try file.sync()
            }
            throw error
        }
        try place.orPoison { () throws(PersistencyError) in try file.sync() }
    }

    /// Removes the marker durably, before a write makes it stale.
    mutating func removeMarker() throws(PersistencyError) {
        guard hasMarker else { return }
        try place.removeIfThere(place.marker)
        hasMarker = false
        try place.orPoison { () throws(PersistencyError) in try place.fileSystem.syncFolder(place.folder) }
    }

    /// Writes the marker of a clean close, if possible.
    mutating func close(after sequence: Int64) {
        guard !hasMarker else { return }
        // Even if the write fails: part of the marker may exist.
        hasMarker = true
        try? place.write(LogMarker(length: length, count: count, sequence: sequence, salt: salt))
    }
}
