package import LarderData
package import LarderDomain

/// Reads a backup record by record, and checks it. Every difference from a backup that was written completely is damage.
package struct BackupReader {
    package let head: LogHead
    private let path: String
    private var reader: LogReader
    private var end: RecordPosition
    private var entities: [EntityDigest]
    /// The entity and the id of the last root, with which the next one is in order.
    private var last: (place: Int, id: RawID)?

    /// Reads the head. Throws `incompatible` for a file that is not a backup, or one with a newer format.
    init(_ file: any OpenFile, path: String) throws(PersistencyError) {
        self.path = path
        reader = try LogReader(file)
        guard let (frame, content) = try reader.record(at: 0) else {
            guard RecordFrame.hasMagic(try file.read(3, at: 0), at: 0) else {
                throw .incompatible("\(path) is not a backup: its first bytes differ")
            }
            throw Self.damage(path, 0)
        }
        if LogSeal.begins(content) { throw .incompatible("\(path) is the sealed log of a file store, not a backup") }
        guard frame.kind == .head, frame.number == 0, let head = try LogHead(content, path: path, declared: nil) else {
            throw Self.damage(path, 0)
        }
        (self.head, end) = (head, RecordPosition(salt: frame.salt))
        end.pass(frame.size)
        entities = head.layouts.map { EntityDigest(entity: $0.schema.name) }
    }

    /// Opens a file for reading.
    package init(_ path: String) throws(PersistencyError) {
        try self.init(POSIXFile(reading: path), path: path)
    }

    /// Lends all roots, record by record, and checks everything. The last roots are lent before the end was read.
    package mutating func forEach(
        _ progress: BackupProgress? = nil, _ body: ([StorageObject]) throws(PersistencyError) -> Void = { _ in }
    ) throws(PersistencyError) -> Backup {
        var count = 0
        while true {
            guard let (frame, found) = try reader.record(at: end.length), let content = end.opened(frame, found) else {
                throw damage
            }
            switch frame.kind {
            case .roots:
                guard let roots = try? roots(content) else { throw damage }
                end.pass(frame.size)
                if Task.isCancelled { throw .cancelled }
                try body(roots)
                count += roots.count
                progress?(count)
            case .endOfBackup:
                guard end.length + frame.size == reader.size, let time = try? time(content) else { throw damage }
                return Backup(
                    path: path, size: reader.size, time: time,
                    token: ChangeToken(lifetime: head.lifetime, position: head.sequence),
                    schemaVersion: head.record.version, entities: entities)
            case .end, .commits: throw .incompatible("\(path) is the log of a file store, not a backup")
            default: throw damage
            }
        }
    }

    /// Reads all roots into memory. Throws `duplicate` and `dangling` for a backup that no store has written.
    mutating func state(_ progress: BackupProgress? = nil) throws(PersistencyError) -> (StoreState, Backup) {
        var state = StoreState(schemas: head.schemas, sequence: head.sequence)
        let backup = try forEach(progress) { roots throws(PersistencyError) in
            for root in roots { try state.restore(root) }
        }
        if let dangling = state.danglingReference()?.reference { throw .dangling(dangling) }
        return (state, backup)
    }

    private var damage: PersistencyError { Self.damage(path, end.length) }

    private static func damage(_ path: String, _ offset: Int) -> PersistencyError {
        .incompatible("\(path) is not a complete backup: it is damaged at byte \(offset)")
    }

    private mutating func roots(_ content: ValueReader) throws(MalformedBytes) -> [StorageObject] {
        var (content, roots) = (content, [StorageObject]())
        while !content.isAtEnd {
            let (start, before) = (content, content.rest)
            let root = try head.root(&content)
            var peek = start
            let place = try peek.count()
            // The order excludes a second root with the same id.
            if let last { guard last < (place, root.id) else { throw MalformedBytes() } }
            last = (place, root.id)
            entities[place].add(encoded: before.prefix(before.count - content.rest.count))
            roots.append(root)
        }
        return roots
    }

    /// Checks the content of the last record, and returns its time.
    private func time(_ content: ValueReader) throws(MalformedBytes) -> Timestamp {
        var content = content
        let time = Int64(bitPattern: try content.fixed())
        for entity in entities {
            let (count, high, low) = (try content.count(), try content.fixed(), try content.fixed())
            guard count == entity.count, UInt128(high) << 64 | UInt128(low) == entity.sum else {
                throw MalformedBytes()
            }
        }
        guard content.isAtEnd else { throw MalformedBytes() }
        return Timestamp(microseconds: time)
    }
}
