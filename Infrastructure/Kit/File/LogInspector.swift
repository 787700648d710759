internal import LarderData
public import LarderDomain

/// Reads the log of a ``FileStore`` record by record, without changing or locking it. A store may have the log open:
/// records that it writes after the end was reached are not read.
///
/// Checks the records only, not the marker of a clean close.
public struct LogInspector: Sendable {
    /// The number of retries for a last record that may be incomplete because of a concurrent write.
    static let patience = 5

    /// The path of the log.
    public let path: String
    private let file: any OpenFile
    private let codec: LogCodec
    private let pause: @Sendable () async -> Void
    private var reader: LogReader
    private var head: LogHead?
    private var salt: UInt64?
    private var offset = 0
    private var count: UInt64 = 0
    /// Whether all initial roots were read. A crash cannot leave a log without them.
    private var hasRoots = false
    private var hasEnded = false

    /// - Parameter pause: Waits briefly for a concurrent write to finish.
    init(
        _ file: any OpenFile, path: String, codec: LogCodec, pause: @escaping @Sendable () async -> Void
    ) throws(PersistencyError) {
        (self.file, self.path, self.codec, self.pause) = (file, path, codec, pause)
        reader = try LogReader(file)
    }

    /// The next record; after the last one, and after damage, `nil`.
    ///
    /// - Throws: `unavailable` if the log cannot be read; `incompatible` for a file that is not a log or has a newer
    ///   format, and for schemas that differ from the given ones in more than additions.
    /// - Complexity: O(*n*) time and memory for a record of *n* bytes.
    public mutating func next() async throws(PersistencyError) -> Entry? {
        if hasEnded { return nil }
        var tries = 0
        while true {
            let (finding, isLast) = try find()
            switch finding {
            case .record(let frame, let content): return try entry(frame, content)
            case .end:
                if offset == 0 { throw .incompatible("\(path) is empty, so it is no log") }
                return hasRoots ? nil : damaged(isLast: false)
            case .damage:
                if offset == 0 { try checkBegin() }
                guard isLast, tries < Self.patience else { return damaged(isLast: isLast) }
                tries += 1
                await pause()
                reader = try LogReader(file)
            }
        }
    }

    /// The finding at the current offset. `isLast` if it is not a record of this log, and none follows.
    private mutating func find() throws(PersistencyError) -> (LogReader.Finding, isLast: Bool) {
        let finding = try reader.finding(at: offset)
        guard let salt else { return (finding, false) }
        if case .end = finding { return (finding, true) }
        if case .record(let frame, _) = finding, frame.salt == salt { return (finding, false) }
        guard hasRoots else { return (.damage, false) }
        return (.damage, try !reader.hasLaterRecord(from: count, salt: salt, beyond: offset))
    }

    /// Distinguishes a damaged log from a file that was never a log.
    private func checkBegin() throws(PersistencyError) {
        let begin = try file.read(3, at: 0)
        if RecordFrame.hasMagic(begin, at: 0) { return }
        throw .incompatible("\(path) is no log of Larder: it begins otherwise at byte 0")
    }

    private mutating func damaged(isLast: Bool) -> Entry {
        hasEnded = true
        return Entry(offset: offset, size: max(0, reader.size - offset), content: isLast ? .cutShort : .damage)
    }

    private mutating func entry(_ frame: RecordFrame, _ content: ValueReader) throws(PersistencyError) -> Entry {
        guard frame.number == count, let content = try read(frame, content) else { return damaged(isLast: false) }
        defer { (offset, count) = (offset + frame.size, count + 1) }
        if case .end = content { hasRoots = true }
        return Entry(offset: offset, size: frame.size, content: content)
    }

    /// Decodes a record; `nil` if its content is invalid, or its kind is invalid at this position.
    private mutating func read(_ frame: RecordFrame, _ content: ValueReader) throws(PersistencyError) -> Entry.Content?
    {
        guard let head else {
            guard frame.kind == .head, let head = try codec.readHead(content, path: path) else { return nil }
            (self.head, salt) = (head, frame.salt)
            return .head(sequence: head.sequence)
        }
        return (frame.kind == .commits) == hasRoots ? try? head.entry(frame.kind, content) : nil
    }
}

extension LogHead {
    fileprivate func entry(
        _ kind: RecordFrame.Kind, _ content: ValueReader
    ) throws(MalformedBytes) -> LogInspector.Entry.Content {
        var content = content
        switch kind {
        case .end: return .end(roots: try content.count())
        case .roots:
            var roots = 0
            while !content.isAtEnd {
                _ = try root(&content)
                roots += 1
            }
            return .roots(roots)
        case .commits:
            guard let first = Int64(exactly: try content.fixed()), first < .max / 2 else { throw MalformedBytes() }
            var all: [ChangeSet] = []
            while !content.isAtEnd { all.append(try changes(&content)) }
            guard !all.isEmpty else { throw MalformedBytes() }
            return .commits(
                first...first + Int64(all.count) - 1, inserts: all.reduce(0) { $0 + $1.inserts.count },
                updates: all.reduce(0) { $0 + $1.updates.count }, deletes: all.reduce(0) { $0 + $1.deletes.count },
                removals: all.reduce(0) { $0 + $1.removals.count })
        default: throw MalformedBytes()
        }
    }
}
