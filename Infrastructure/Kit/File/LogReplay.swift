internal import LarderData
internal import LarderDomain

/// Bytes of a log that are not what was written there.
struct LogDamage: Error, CustomStringConvertible {
    let path: String
    /// Where the record begins, in bytes from the beginning of the log.
    let offset: Int
    /// What is wrong, where it is not the bytes of a record.
    var trouble: String?

    var description: String { (trouble ?? "\(path) is damaged at byte \(offset)") + "; nothing of it was changed" }

    var persistencyError: PersistencyError { .unavailable(Unavailable(.failed, description, cause: self)) }
}

/// Rebuilds a state from its log, record by record; changes nothing.
struct LogReplay {
    private(set) var state: StoreState
    let head: LogHead
    let salt: UInt64
    /// Where the last good record ends.
    private(set) var length: Int
    private(set) var count: UInt64 = 1
    /// Bytes that a log of the state alone would have, its head aside.
    private(set) var liveBytes = 0
    /// Whether a record follows that was cut short.
    private(set) var isTorn = false
    private let path: String
    private let codec: LogCodec
    private var reader: LogReader

    /// Reads a log. Throws `incompatible` for what is no log, of a newer format, or of schemas that differ in more than
    /// additions; `unavailable` with a ``LogDamage`` for a log that no crash leaves; `unavailable` for what reading
    /// fails with.
    init(_ file: any OpenFile, path: String, codec: LogCodec) throws(PersistencyError) {
        reader = try LogReader(file)
        guard case .record(let frame, let content) = try reader.finding(at: 0), frame.kind == .head, frame.number == 0
        else {
            let begin = try file.read(3, at: 0)
            if RecordFrame.hasMagic(begin, at: 0) { throw LogDamage(path: path, offset: 0).persistencyError }
            throw .incompatible("\(path) is no log of Larder: it begins otherwise at byte 0")
        }
        guard let head = try codec.readHead(content, path: path) else {
            throw LogDamage(path: path, offset: 0).persistencyError
        }
        (self.head, self.path, self.codec) = (head, path, head.codec)
        (salt, length) = (frame.salt, frame.size)
        state = StoreState(schemas: codec.schemas, sequence: head.sequence)
        try readRoots()
        try readCommits()
    }

    /// Reads what the log began with. It was whole before the log had its name, so a crash leaves nothing less.
    private mutating func readRoots() throws(PersistencyError) {
        var roots = 0
        while true {
            guard case .record(let frame, var content) = try reader.finding(at: length), isNext(frame) else {
                throw damage
            }
            switch frame.kind {
            case .roots:
                try read { replay throws(MalformedBytes) in
                    while !content.isAtEnd {
                        let root = try replay.head.root(&content)
                        guard (try? replay.state.restore(root)) != nil else { throw MalformedBytes() }
                        roots += 1
                    }
                }
                liveBytes += frame.length
                take(frame)
            case .end:
                guard (try? content.count()) == roots, content.isAtEnd else { throw damage }
                take(frame)
                return
            default: throw damage
            }
        }
    }

    /// Reads what came since, as far as it is whole.
    private mutating func readCommits() throws(PersistencyError) {
        while length < reader.size {
            guard case .record(let frame, let content) = try reader.finding(at: length), frame.salt == salt else {
                let (length, count, salt) = (length, count, salt)
                // What was cut short is the last that was written. If something follows, this is no work of a crash.
                guard try !reader.hasLaterRecord(from: count, salt: salt, beyond: length) else { throw damage }
                isTorn = true
                return
            }
            guard isNext(frame), frame.kind == .commits else { throw damage }
            try read { replay throws(MalformedBytes) in try replay.makeCommits(content) }
            take(frame)
        }
    }

    private mutating func makeCommits(_ content: ValueReader) throws(MalformedBytes) {
        var content = content
        guard Int64(bitPattern: try content.fixed()) == state.sequence + 1, !content.isAtEnd else {
            throw MalformedBytes()
        }
        while !content.isAtEnd {
            let changes = try head.changes(&content)
            // What was committed was judged; if it cannot be committed again, it is not what was committed.
            guard let judged = try? state.judge(changes) else { throw MalformedBytes() }
            let codec = codec
            var growth = codec.growth(by: judged)
            state.apply(judged, removals: changes.removals) { growth += codec.growth(from: $0, to: $1) }
            liveBytes += growth
        }
    }

    private func isNext(_ frame: RecordFrame) -> Bool { frame.salt == salt && frame.number == count }

    private mutating func take(_ frame: RecordFrame) {
        length += frame.size
        count += 1
    }

    private var damage: PersistencyError { LogDamage(path: path, offset: length).persistencyError }

    private mutating func read(
        _ body: (inout LogReplay) throws(MalformedBytes) -> Void
    ) throws(PersistencyError) {
        do throws(MalformedBytes) { try body(&self) } catch { throw damage }
    }
}
