internal import LarderData
internal import LarderDomain

/// Damage to a log: its bytes differ from the written ones.
struct LogDamage: Error, CustomStringConvertible {
    let path: String
    /// The position of the record, in bytes from the start of the log.
    let offset: Int
    /// A description of any damage other than an invalid record.
    var trouble: String?

    var description: String { (trouble ?? "\(path) is damaged at byte \(offset)") + "; nothing of it was changed" }

    var persistencyError: PersistencyError { .unavailable(Unavailable(.failed, description, cause: self)) }
}

/// Rebuilds a state from its log, record by record, without changing the log.
struct LogReplay {
    private(set) var state: StoreState
    let head: LogHead
    let salt: UInt64
    /// The end of the last intact record, in bytes.
    private(set) var length: Int
    private(set) var count: UInt64 = 1
    /// The encoded size of all roots in bytes: a compact log without its head.
    private(set) var liveBytes = 0
    /// Whether a torn record follows.
    private(set) var isTorn = false
    private let path: String
    private let codec: LogCodec
    private var reader: LogReader

    /// Reads a log. Throws `incompatible` for a file that is not a log, for a newer format, and for schemas that differ
    /// in more than additions; `unavailable` for read errors, and with a ``LogDamage`` for damage that a crash cannot
    /// cause.
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

    /// Reads the initial roots. They were complete before the log got its name, so a crash cannot tear them.
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

    /// Reads the commits, up to a torn record.
    private mutating func readCommits() throws(PersistencyError) {
        while length < reader.size {
            guard case .record(let frame, let content) = try reader.finding(at: length), frame.salt == salt else {
                let (length, count, salt) = (length, count, salt)
                // A crash tears only the last record. If an intact one follows, the log is damaged.
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
            // Commits were judged before they were written, so a rejected one is damage.
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
