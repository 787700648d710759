internal import LarderData
internal import LarderDomain

/// Damage to a log: its bytes differ from the written ones.
struct LogDamage: Error, CustomStringConvertible {
    let path: String
    /// The position of the record, in bytes from the start of the log.
    let offset: Int
    /// A description of any damage other than an invalid record.
    var trouble: String?

    var description: String { (trouble ?? "\(path) is damaged at byte \(offset)") + "; the file was not changed" }

    var persistencyError: PersistencyError { .failed(description, cause: self) }
}

/// Rebuilds a state from its log, record by record, in the shape of the log and without changing it.
struct LogReplay {
    private(set) var state: StoreState
    let head: LogHead
    /// The journal of the log; `nil` if it has none, or none is requested.
    let journal: LogJournal?
    /// The codec of the log, which determines the encoded sizes.
    private let codec: LogCodec
    private let path: String
    /// Without readers, all commits count as read. With readers, none does until their positions are known: the next commit drops
    /// what they have read.
    private let readCommit: Int64
    /// The encoded size of all roots in bytes: a compact log without its head.
    private(set) var liveBytes = 0
    /// Whether a torn record follows.
    private(set) var isTorn = false
    private var roots = 0
    private var walk: LogWalk

    /// The end of the last intact record.
    var end: RecordPosition { walk.end }

    /// Reads the head of a log. Throws the errors of ``LogWalk/next()``.
    ///
    /// - Parameters:
    ///   - declared: The schemas of the program.
    ///   - sealing: The passphrase of a sealed log, `nil` for a plain one.
    ///   - bounds: The bounds of the journal; `nil` for none.
    init(
        _ file: any OpenFile, path: String, declared: SchemaSet, sealing: FileStore.Sealing? = nil,
        journal bounds: JournalBounds? = nil
    ) throws(PersistencyError) {
        self.path = path
        readCommit = declared.journalReaders.isEmpty ? .max : 0
        walk = try LogWalk(file, path: path, declared: declared, sealing: sealing)
        guard case .head(let head) = try walk.next() else {
            throw LogDamage(path: path, offset: walk.end.length).persistencyError
        }
        self.head = head
        let retained = head.lifetime == 0 ? nil : bounds.map { RetainedCommits($0, since: head.completeSince) }
        journal = retained.map { LogJournal(lifetime: head.lifetime, $0) }
        codec = LogCodec(head.schemas, history: head.record.history)
        state = StoreState(schemas: head.schemas, sequence: head.sequence)
    }

    /// Reads all records after the head. Throws the errors of ``LogWalk/next()``, and `unavailable` with a ``LogDamage``
    /// for damage that a crash cannot cause.
    mutating func run() throws(PersistencyError) {
        while true {
            var step = try walk.next()
            if case .record(let record) = step, !add(record, walk.size) { step = .damage }
            switch step {
            case .head, .record: continue
            case .end: return
            case .torn:
                isTorn = true
                return
            case .damage: throw LogDamage(path: path, offset: end.length).persistencyError
            }
        }
    }

    /// Returns `false` for content that a store would not have written.
    private mutating func add(_ record: LogRecord, _ size: Int) -> Bool {
        switch record {
        case .journal(let entries):
            for entry in entries { journal?.retained.append(entry.commit, at: entry.time) { readCommit } }
            return true
        case .roots(let added):
            for root in added where (try? state.restore(root)) == nil { return false }
            roots += added.count
            liveBytes += size - RecordFrame.size
            return true
        case .end(let count): return count == roots
        case .commits(let first, let time, let commits):
            return first == state.sequence + 1 && commits.allSatisfy { add($0, at: time) }
        }
    }

    /// Commits were judged before they were written, so a rejected one is damage.
    private mutating func add(_ changes: ChangeSet, at time: Timestamp) -> Bool {
        guard let writes = try? state.judge(changes) else { return false }
        let codec = codec
        var growth = codec.growth(by: writes)
        state.apply(writes, removals: changes.removals) { growth += codec.growth(by: [$0]) }
        liveBytes += growth
        let token = ChangeToken(lifetime: head.lifetime, position: state.sequence)
        journal?.retained.append(CommittedChanges(token: token, of: changes), at: time) { readCommit }
        return true
    }
}
