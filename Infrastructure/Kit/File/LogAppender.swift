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
    /// How many records there are.
    private(set) var count: UInt64
    /// Whether a marker of a clean close may stand beside it.
    private(set) var hasMarker: Bool
    private let file: any OpenFile
    /// The log and the lock.
    let files: OpenedFiles

    /// A log that was read to its end, or that has just taken its place.
    init(
        _ place: LogPlace, _ file: any OpenFile, salt: UInt64, length: Int, count: UInt64, hasMarker: Bool
    ) throws(PersistencyError) {
        self.place = place
        files = try OpenedFiles([place.log, place.lock], place.fileSystem)
        self.file = file
        self.salt = salt
        self.length = length
        self.count = count
        self.hasMarker = hasMarker
    }

    /// Adds a record: one write and one sync.
    mutating func append(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        // A file without a name takes every record, and loses all of them with the process.
        try files.check()
        try removeMarker()
        let record = content.record(kind, number: count, salt: salt)
        do throws(PersistencyError) {
            try file.writeAll(record, at: length, path: place.log)
        } catch {
            try cutBack()
            throw error
        }
        try place.orPoison { () throws(PersistencyError) in try file.sync() }
        length += record.count
        count += 1
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
