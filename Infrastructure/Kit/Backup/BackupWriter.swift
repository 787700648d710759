internal import LarderData
internal import LarderDomain

/// Writes the records of a backup: a head, roots, and an end with the number and the digest of the roots of each entity.
struct BackupWriter {
    private let file: any OpenFile
    private let path: String
    private let codec: LogCodec
    private let salt: UInt64
    private let places: [String: Int]
    private var record = ValueWriter.record
    private var length = 0
    private var number: UInt64 = 0
    private var entities: [EntityDigest]
    /// The number of roots.
    private(set) var count = 0

    /// - Parameters:
    ///   - sequence: The number of the last commit that the backup contains.
    ///   - lifetime: The lifetime of its token; 0 without a journal.
    init(
        _ file: any OpenFile, path: String, _ codec: LogCodec, salt: UInt64, after sequence: Int64, lifetime: UInt64
    ) throws(PersistencyError) {
        (self.file, self.path, self.codec, self.salt) = (file, path, codec, salt)
        entities = codec.schemas.roots.map { EntityDigest(entity: $0.name) }
        places = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.entity, $0) })
        try write(.head, codec.head(after: sequence, lifetime: lifetime))
    }

    /// Adds a root, in the order of schemas and ids. Throws `cancelled` once the task is cancelled, and `unavailable` for
    /// a version outside its range.
    mutating func add(_ root: StorageObject) throws(PersistencyError) {
        // A reader would report a damaged backup.
        guard root.hasValidVersion else {
            throw .failed(
                "\(root.reference) has the version \(root.version), which no program writes; verify the store")
        }
        let start = record.bytes.count
        codec.append(root, to: &record)
        guard let place = places[root.schema.name] else { throw .unknownEntity(root.schema.name) }
        entities[place].add(encoded: record.bytes[start...])
        count += 1
        if record.count >= codec.recordBytes { try flush() }
    }

    mutating func finish(at time: Timestamp) throws(PersistencyError) {
        try flush()
        var end = ValueWriter.record
        end.append(fixed: time.microseconds)
        for entity in entities {
            end.append(entity.count)
            end.append(fixed: entity.sum)
        }
        try write(.endOfBackup, end)
    }

    private mutating func flush() throws(PersistencyError) {
        if record.isEmpty { return }
        if Task.isCancelled { throw .cancelled }
        try write(.roots, record)
        record = ValueWriter.record
    }

    private mutating func write(_ kind: RecordFrame.Kind, _ content: consuming ValueWriter) throws(PersistencyError) {
        let bytes = content.record(kind, number: number, salt: salt)
        try file.writeAll(bytes, at: length, path: path)
        length += bytes.count
        number += 1
    }
}

extension RecordFrame.Kind {
    /// The last record of a backup.
    static let endOfBackup = Self(rawValue: 0x42)
}
