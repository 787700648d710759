internal import LarderData
internal import LarderDomain

/// Appends whole records to the file of a log, and maintains its marker.
///
/// An appended record is on the device when the call returns. A failed call leaves no part of its record there, unless
/// the failure is ``LogPoison``.
struct LogAppender: Sendable {
    let place: LogPlace
    private(set) var end: RecordPosition
    /// Whether a marker of a clean close may exist.
    private(set) var hasMarker: Bool
    private let file: any OpenFile
    private(set) var files: OpenedFiles
    /// The path of the file: the draft's until it is renamed, then the log's.
    private var path: String

    /// Continues a log after its last record.
    init(_ place: LogPlace, _ file: any OpenFile, _ end: RecordPosition, hasMarker: Bool) throws(PersistencyError) {
        (self.place, self.file, self.end, self.hasMarker, path) = (place, file, end, hasMarker, place.log)
        files = try OpenedFiles([place.log, place.lock], place.fileSystem)
    }

    /// The total size of all records, and so of the file, in bytes.
    var length: Int { end.length }

    /// Writes a log as a draft, and renames it over the existing log when the body has written all records.
    static func replacing(
        _ place: LogPlace, salt: UInt64, seal: LogSeal?, _ body: (inout LogAppender) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> LogAppender {
        try place.fileSystem.removeIfThere(place.draft)
        let file = try place.fileSystem.create(place.draft)
        var log = try LogAppender(place, file, RecordPosition(salt: salt), hasMarker: false)
        log.path = place.draft
        do throws(PersistencyError) {
            if let seal { try log.end.start(seal, in: file, path: place.draft) }
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
        try end.write(kind, content, to: file, path: path)
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
        try place.fileSystem.removeIfThere(place.marker)
        hasMarker = false
        try place.orPoison { () throws(PersistencyError) in try place.fileSystem.syncFolder(place.folder) }
    }

    /// Writes the marker of a clean close, if possible.
    mutating func close(after sequence: Int64) {
        guard !hasMarker else { return }
        // Even if the write fails: part of the marker may exist.
        hasMarker = true
        try? place.write(LogMarker(end, sequence: sequence))
    }
}
