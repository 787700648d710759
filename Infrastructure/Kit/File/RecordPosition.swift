internal import LarderData
internal import LarderDomain

/// A position between the records of a log or a backup, where the next one is written or read.
struct RecordPosition: Sendable {
    /// Distinguishes the records of the file from those of all others.
    let salt: UInt64
    /// Seals and opens the next record; `nil` in a plain file.
    var seal: LogSeal?
    /// The total size of the records before it, in bytes.
    private(set) var length = 0
    /// The number of records before it.
    private(set) var count: UInt64 = 0

    /// The start of a file.
    init(salt: UInt64) { self.salt = salt }

    mutating func pass(_ size: Int) { (length, count) = (length + size, count + 1) }

    /// Writes the next record without a sync. A failed write may leave a part of it.
    mutating func write(
        _ kind: RecordFrame.Kind, _ content: consuming ValueWriter, to file: any OpenFile, path: String
    ) throws(PersistencyError) {
        guard var next = seal else { return try writePlain(kind, content, to: file, path: path) }
        let sealed = try next.seal(content, kind, number: count, salt: salt)
        try writePlain(kind, sealed, to: file, path: path)
        // The chain continues from the last record that was written completely.
        seal = next
    }

    /// Writes the plain head of a sealed log.
    mutating func start(_ seal: LogSeal, in file: any OpenFile, path: String) throws(PersistencyError) {
        var seal = seal
        try writePlain(.head, seal.start(salt: salt), to: file, path: path)
        self.seal = seal
    }

    private mutating func writePlain(
        _ kind: RecordFrame.Kind, _ content: consuming ValueWriter, to file: any OpenFile, path: String
    ) throws(PersistencyError) {
        let record = content.record(kind, number: count, salt: salt)
        try file.writeAll(record, at: length, path: path)
        pass(record.count)
    }

    /// The plain content of the record here; `nil` if it was changed, or is not the next one.
    mutating func opened(_ frame: RecordFrame, _ content: ValueReader) -> ValueReader? {
        guard frame.salt == salt, frame.number == count else { return nil }
        return seal == nil ? content : try? seal?.open(content, frame)
    }
}
