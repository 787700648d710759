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
        _ place: LogPlace, salt: UInt64, _ body: (inout LogDraft) throws(SystemError) -> Void
    ) throws(LogFailure) -> LogAppender {
        var draft = try place.undone { () throws(SystemError) in
            try place.removeIfThere(place.draft)
            return LogDraft(place: place, salt: salt, file: try place.fileSystem.create(place.draft))
        }
        do throws(SystemError) { try body(&draft) } catch { throw draft.discarded(error) }
        try place.known { () throws(SystemError) in try draft.file.sync() }
        do throws(SystemError) {
            try place.fileSystem.rename(place.draft, to: place.log)
        } catch {
            throw draft.discarded(error)
        }
        // Which of the two logs a loss of power would leave is not known before.
        return try place.known { () throws(SystemError) in
            try place.fileSystem.syncFolder(place.folder)
            return try LogAppender(
                place, draft.file, salt: salt, length: draft.length, count: draft.count, hasMarker: false)
        }
    }

    /// Adds a record. Nothing is on the device before all are.
    mutating func append(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(SystemError) {
        let record = content.record(kind, number: count, salt: salt)
        try file.writeAll(record, at: length, path: place.draft)
        length += record.count
        count += 1
    }

    private func discarded(_ error: SystemError) -> LogFailure {
        // The next one begins by removing it, too.
        try? place.fileSystem.remove(place.draft)
        return .undone(error)
    }
}
