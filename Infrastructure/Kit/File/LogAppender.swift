internal import LarderData
internal import LarderDomain

/// Appends whole records to the file of a log, and keeps the marker beside it.
///
/// Whatever a call wrote is on the device when it returns; what it could not write is gone from there, unless the failure is
/// ``LogPoison``.
struct LogAppender: Sendable {
    let place: LogPlace
    /// What tells the log's records from those of every other.
    let salt: UInt64
    /// Bytes of all records, and so the file's.
    private(set) var length: Int
    private(set) var count: UInt64
    /// Whether a marker of a clean close may stand beside it.
    private(set) var hasMarker: Bool
    private let file: any OpenFile
    private(set) var files: OpenedFiles
    /// Where the file is: the log's place, or the draft's until it takes the place of the log.
    private var path: String

    /// A log that was read to its end, or that has just taken its place.
    init(
        _ place: LogPlace, _ file: any OpenFile, salt: UInt64, length: Int, count: UInt64, hasMarker: Bool
    ) throws(PersistencyError) {
        (self.place, path) = (place, place.log)
        files = try OpenedFiles([place.log, place.lock], place.fileSystem)
        (self.file, self.salt, self.length, self.count) = (file, salt, length, count)
        self.hasMarker = hasMarker
    }

    /// Writes a log beside the one that is there, and puts it in its place when the body has written all records.
    static func replacing(
        _ place: LogPlace, salt: UInt64, _ body: (inout LogAppender) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> LogAppender {
        try place.removeIfThere(place.draft)
        let file = try place.fileSystem.create(place.draft)
        var log = try LogAppender(place, file, salt: salt, length: 0, count: 0, hasMarker: false)
        log.path = place.draft
        do throws(PersistencyError) {
            try body(&log)
            try place.orPoison { () throws(PersistencyError) in try file.sync() }
            try place.fileSystem.rename(place.draft, to: place.log)
        } catch {
            // The next one begins by removing it, too.
            if !error.isPoison { try? place.fileSystem.remove(place.draft) }
            throw error
        }
        log.path = place.log
        // Which of the two logs a loss of power would leave is not known before.
        try place.orPoison { () throws(PersistencyError) in
            try place.fileSystem.syncFolder(place.folder)
            log.files = try OpenedFiles([place.log, place.lock], place.fileSystem)
        }
        return log
    }

    /// Writes a record. It is on the device after the next sync.
    mutating func write(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        let record = content.record(kind, number: count, salt: salt)
        try file.writeAll(record, at: length, path: path)
        length += record.count
        count += 1
    }

    /// Adds a record: one write and one sync.
    mutating func append(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        // A file without a name takes every record, and loses all of them with the process.
        try files.check()
        try removeMarker()
        do throws(PersistencyError) {
            try write(kind, content)
        } catch {
            try cutBack()
            throw error
        }
        try place.orPoison { () throws(PersistencyError) in try file.sync() }
    }

    /// Takes away what a write that failed left, for good: whoever opens the log must not come upon it.
    private func cutBack() throws(PersistencyError) {
        try place.orPoison { () throws(PersistencyError) in
            try file.truncate(to: length)
            try file.sync()
        }
    }

    /// Takes the marker away, for good, before anything is written that it knows nothing of.
    mutating func removeMarker() throws(PersistencyError) {
        guard hasMarker else { return }
        try place.removeIfThere(place.marker)
        hasMarker = false
        try place.orPoison { () throws(PersistencyError) in try place.fileSystem.syncFolder(place.folder) }
    }

    /// Says beside the log where it ends, if that can be done.
    mutating func close(after sequence: Int64) {
        guard !hasMarker else { return }
        // Also if it cannot be written: some of it may be there.
        hasMarker = true
        try? place.write(LogMarker(length: length, count: count, sequence: sequence, salt: salt))
    }
}
