internal import LarderData
internal import LarderDomain

/// Reads the records of a log in order, without changing it, and distinguishes a torn end from damage.
struct LogWalk {
    enum Step {
        case head(LogHead)
        case record(LogRecord)
        /// Bytes that are not a record, and no record after them: a crash tears only the last record.
        case torn
        /// Bytes that a crash cannot cause.
        case damage
        case end
    }

    private let file: any OpenFile
    let path: String
    private let declared: SchemaSet?
    private let sealing: FileStore.Sealing?
    private var reader: LogReader
    private var head: LogHead?
    /// Whether the initial roots were read. They were complete before the log got its name, so a crash cannot tear them.
    private var hasRoots = false
    private(set) var current: (frame: RecordFrame, content: ValueReader)?
    /// The start of the current record, or the end of the last intact one.
    private(set) var end = RecordPosition(salt: 0)

    /// - Parameters:
    ///   - declared: The schemas of the program, if it has any.
    ///   - sealing: The passphrase of a sealed log, `nil` for a plain one.
    init(
        _ file: any OpenFile, path: String, declared: SchemaSet? = nil, sealing: FileStore.Sealing?
    ) throws(PersistencyError) {
        (self.file, self.path, self.declared, self.sealing) = (file, path, declared, sealing)
        reader = try LogReader(file)
    }

    /// The size of the current record, or of everything after the last intact one.
    var size: Int { current?.frame.size ?? max(0, reader.size - end.length) }

    /// Reads the current size of the file, which another process may have extended.
    mutating func reload() throws(PersistencyError) { reader = try LogReader(file) }

    /// Moves to the next record. Throws `incompatible` for a file that is not a log, and for a newer format; `unavailable`
    /// for read errors, and with a ``PassphraseError`` for a passphrase that is missing, wrong, or not needed.
    mutating func next() throws(PersistencyError) -> Step {
        if let (frame, _) = current {
            end.pass(frame.size)
            hasRoots = hasRoots || frame.kind == .end
            current = nil
        }
        let found = try reader.record(at: end.length)
        guard let head else { return try first(found) }
        if let (frame, content) = found, frame.salt == end.salt {
            guard (frame.kind == .commits) == hasRoots, let content = end.opened(frame, content),
                let record = try? head.record(frame.kind, content)
            else { return .damage }
            current = (frame, content)
            return .record(record)
        }
        guard hasRoots else { return .damage }
        if end.length == reader.size { return .end }
        return try reader.hasLaterRecord(beyond: end) ? .damage : .torn
    }

    private mutating func first(_ found: (frame: RecordFrame, content: ValueReader)?) throws(PersistencyError) -> Step {
        if reader.size == 0 { throw .incompatible("\(path) is empty, so it is not a log") }
        guard let (frame, content) = found, frame.kind == .head, frame.number == 0 else {
            // Distinguishes a damaged log from a file that was never a log.
            if RecordFrame.hasMagic(try file.read(3, at: 0), at: 0) { return .damage }
            throw .incompatible("\(path) is not a log of a file store: its first bytes differ")
        }
        end = RecordPosition(salt: frame.salt)
        if LogSeal.begins(content) { return try sealedHead(after: frame, content) }
        let step = try head(frame, content)
        if sealing != nil { throw .passphrase(.unexpected, path) }
        return step
    }

    private mutating func sealedHead(after frame: RecordFrame, _ content: ValueReader) throws(PersistencyError) -> Step
    {
        end.seal = try LogSeal(content, salt: end.salt, path: path, sealing)
        if end.seal == nil { return .damage }
        end.pass(frame.size)
        guard let (frame, content) = try reader.record(at: end.length), frame.kind == .head,
            let content = end.opened(frame, content)
        else { return .damage }
        return try head(frame, content)
    }

    private mutating func head(_ frame: RecordFrame, _ content: ValueReader) throws(PersistencyError) -> Step {
        guard let head = try LogHead(content, path: path, declared: declared) else { return .damage }
        (self.head, current) = (head, (frame, content))
        return .head(head)
    }
}
