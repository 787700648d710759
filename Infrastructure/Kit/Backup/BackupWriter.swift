internal import LarderData
internal import LarderDomain

/// Writes the records of a backup: a head, roots, and an end with the number and the digest of the roots of each entity.
struct BackupWriter {
    private let file: any OpenFile
    private let path: String
    private var end: RecordPosition
    private var digests: EntityDigests
    private var record = ValueWriter.record

    /// The number of roots.
    var count: Int { digests.count }

    /// - Parameters:
    ///   - sequence: The number of the last commit that the backup contains.
    ///   - lifetime: The lifetime of its token; 0 without a journal.
    init(
        _ file: any OpenFile, path: String, _ codec: LogCodec, salt: UInt64, after sequence: Int64, lifetime: UInt64
    ) throws(PersistencyError) {
        (self.file, self.path, digests, end) = (file, path, EntityDigests(codec), RecordPosition(salt: salt))
        try end.write(.head, codec.head(after: sequence, lifetime: lifetime), to: file, path: path)
    }

    /// Adds a root, in the order of schemas and ids. Throws `cancelled` once the task is cancelled, and `unavailable` for
    /// a version outside its range.
    mutating func add(_ root: StorageObject) throws(PersistencyError) {
        // A reader would report a damaged backup.
        guard root.hasValidVersion else {
            throw .failed(
                "\(root.reference) has the version \(root.version), which no program writes; verify the store")
        }
        try digests.add(root, to: &record)
        if record.count >= digests.codec.recordBytes { try flush() }
    }

    mutating func finish(at time: Timestamp) throws(PersistencyError) {
        try flush()
        var content = ValueWriter.record
        content.append(fixed: time.microseconds)
        for entity in digests.entities {
            content.append(entity.count)
            content.append(fixed: entity.sum)
        }
        try end.write(.endOfBackup, content, to: file, path: path)
    }

    private mutating func flush() throws(PersistencyError) {
        if record.isEmpty { return }
        if Task.isCancelled { throw .cancelled }
        try end.write(.roots, record, to: file, path: path)
        record = ValueWriter.record
    }
}

extension RecordFrame.Kind {
    /// The last record of a backup.
    static let endOfBackup = Self(rawValue: 0x42)
}
