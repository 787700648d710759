internal import LarderData
internal import LarderDomain

/// Reads a log record by record, with a window of it in memory.
struct LogReader {
    private static let windowSize = 1 << 18

    private let file: any OpenFile
    let size: Int
    private var window: [UInt8] = []
    private var start = 0

    init(_ file: any OpenFile) throws(PersistencyError) {
        self.file = file
        size = try file.size()
    }

    /// Reads the record at an offset; `nil` if there is no valid one. Throws read errors only.
    mutating func record(at offset: Int) throws(PersistencyError) -> (frame: RecordFrame, content: ValueReader)? {
        // At the end, or the file was truncated after its size was read.
        if offset >= size { return nil }
        try load(RecordFrame.size, at: offset)
        guard let frame = RecordFrame(window, at: offset - start, available: size - offset) else { return nil }
        try load(frame.size, at: offset)
        let place = offset - start
        // A file that is truncated meanwhile returns fewer bytes.
        guard window.count - place >= frame.size, frame.matches(window, at: place) else { return nil }
        return (frame, ValueReader(window, place + RecordFrame.size..<place + frame.size))
    }

    /// Whether a later intact record of this log starts beyond a position.
    mutating func hasLaterRecord(beyond end: RecordPosition) throws(PersistencyError) -> Bool {
        var place = end.length + 1
        while place <= size - RecordFrame.size {
            try load(RecordFrame.size, at: place)
            if RecordFrame.hasMagic(window, at: place - start),
                let frame = RecordFrame(window, at: place - start, available: size - place), frame.salt == end.salt,
                frame.number >= end.count, try record(at: place) != nil
            {
                return true
            }
            place += 1
        }
        return false
    }

    /// Loads a range into the window, up to the end of the file.
    private mutating func load(_ count: Int, at offset: Int) throws(PersistencyError) {
        if offset >= start, offset + count <= start + window.count { return }
        window = try file.read(min(max(count, Self.windowSize), size - offset), at: offset)
        start = offset
    }
}
