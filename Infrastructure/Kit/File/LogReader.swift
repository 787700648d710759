internal import LarderData
internal import LarderDomain

/// Reads a log record by record, a window of it in memory.
struct LogReader {
    enum Finding {
        case record(RecordFrame, ValueReader)
        case damage
        case end
    }

    private static let windowSize = 1 << 18

    private let file: any OpenFile
    let size: Int
    private var window: [UInt8] = []
    private var start = 0

    init(_ file: any OpenFile) throws(PersistencyError) {
        self.file = file
        size = try file.size()
    }

    /// Looks at a place. Throws what reading fails with. A record that cannot be right is no error here, but
    /// ``Finding/damage``.
    mutating func finding(at offset: Int) throws(PersistencyError) -> Finding {
        if offset == size { return .end }
        // Somebody cut the file since it was looked at.
        if offset > size { return .damage }
        try load(RecordFrame.size, at: offset)
        guard let frame = RecordFrame(window, at: offset - start, available: size - offset) else { return .damage }
        try load(frame.size, at: offset)
        let place = offset - start
        // A file that somebody cuts meanwhile has less than it had.
        guard window.count - place >= frame.size, frame.matches(window, at: place) else { return .damage }
        return .record(frame, ValueReader(window, place + RecordFrame.size..<place + frame.size))
    }

    /// Whether beyond a place a record stands that was written to this log, and is not from before what should stand there.
    mutating func hasLaterRecord(from number: UInt64, salt: UInt64, beyond offset: Int) throws(PersistencyError) -> Bool
    {
        var place = offset + 1
        while place <= size - RecordFrame.size {
            try load(RecordFrame.size, at: place)
            if RecordFrame.hasMagic(window, at: place - start),
                let frame = RecordFrame(window, at: place - start, available: size - place), frame.salt == salt,
                frame.number >= number, case .record = try finding(at: place)
            {
                return true
            }
            place += 1
        }
        return false
    }

    /// Has a range in the window, as far as the file goes.
    private mutating func load(_ count: Int, at offset: Int) throws(PersistencyError) {
        if offset >= start, offset + count <= start + window.count { return }
        window = try file.read(min(max(count, Self.windowSize), size - offset), at: offset)
        start = offset
    }
}
