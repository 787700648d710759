internal import LarderData
internal import LarderDomain

/// A log that is written anew, beside the one that is there, and takes its place when it is whole.
struct LogDraft {
    private let place: LogPlace
    private let salt: UInt64
    private let file: any OpenFile
    private var length = 0
    private var count: UInt64 = 0

    /// Writes a log and puts it in the place of the one that is there.
    ///
    /// - Parameter body: Adds all records.
    static func replace(
        _ place: LogPlace, salt: UInt64, _ body: (inout LogDraft) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> LogAppender {
        try place.removeIfThere(place.draft)
        var draft = LogDraft(place: place, salt: salt, file: try place.fileSystem.create(place.draft))
        do throws(PersistencyError) { try body(&draft) } catch { throw draft.discarded(error) }
        try place.orPoison { () throws(PersistencyError) in try draft.file.sync() }
        do throws(PersistencyError) {
            try place.fileSystem.rename(place.draft, to: place.log)
        } catch {
            throw draft.discarded(error)
        }
        // Which of the two logs a loss of power would leave is not known before.
        return try place.orPoison { () throws(PersistencyError) in
            try place.fileSystem.syncFolder(place.folder)
            return try LogAppender(
                place, draft.file, salt: salt, length: draft.length, count: draft.count, hasMarker: false)
        }
    }

    /// Adds a record. Nothing is on the device before all are.
    mutating func append(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        let record = content.record(kind, number: count, salt: salt)
        try file.writeAll(record, at: length, path: place.draft)
        length += record.count
        count += 1
    }

    private func discarded(_ error: PersistencyError) -> PersistencyError {
        // The next one begins by removing it, too.
        try? place.fileSystem.remove(place.draft)
        return error
    }
}
