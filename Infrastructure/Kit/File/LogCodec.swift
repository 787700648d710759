internal import LarderData
internal import LarderDomain

/// Encodes the records of a log for the schemas of one store. Created once, because encoding the schemas is costly.
final class LogCodec: Sendable {
    /// The format of written logs. A greater number belongs to a newer program.
    static let format: UInt64 = 5

    let schemas: SchemaSet
    let further: FurtherColumns
    /// The target size of a record in bytes. A record ends with the root that reaches it, or before the commit that
    /// would exceed it; a single commit may be larger.
    let recordBytes: Int
    private let declaration: ArraySlice<UInt8>
    private let rootIndexes: [String: Int]

    /// - Parameters:
    ///   - further: The columns of the log that the schemas do not have.
    ///   - history: The changes that led to the schemas.
    init(
        _ schemas: SchemaSet, further: FurtherColumns = FurtherColumns(), history: [SchemaHistoryEntry] = [],
        recordBytes: Int = 1 << 20
    ) {
        (self.schemas, self.further, self.recordBytes) = (schemas, further, recordBytes)
        let items = schemas.items + further.items
        var writer = ValueWriter.record
        writer.append(items.count)
        for value in items.lazy.map(\.values).joined() { writer.append(value) }
        writer.append(history.count)
        for value in history.lazy.map(\.values).joined() { writer.append(value) }
        declaration = writer.content
        rootIndexes = Dictionary(uniqueKeysWithValues: schemas.roots.enumerated().map { ($1.name, $0) })
    }

    /// The first record of a log: its format, the number of the last commit before it, the lifetime of its tokens, the
    /// time since which its journal is complete, the schemas and their history.
    func head(
        after sequence: Int64, lifetime: UInt64 = 0, completeSince: Timestamp = Timestamp(microseconds: 0)
    ) -> ValueWriter {
        var writer = ValueWriter.record
        writer.append(fixed: UInt32(truncatingIfNeeded: Self.format))
        writer.append(fixed: UInt64(bitPattern: sequence))
        writer.append(fixed: lifetime)
        writer.append(fixed: UInt64(bitPattern: completeSince.microseconds))
        writer.append(content: declaration)
        return writer
    }

    /// Appends a root with its version.
    func append(_ root: StorageObject, to writer: inout ValueWriter) {
        writer.append(rootIndexes[root.schema.name] ?? 0)
        writer.append(UInt64(bitPattern: root.version))
        writer.append(root, further)
    }

    /// Appends a judged commit. The number of the first commit and the time precede the commits of a record.
    func append(_ changes: ChangeSet, to writer: inout ValueWriter) {
        writer.append(changes.id.rawValue)
        func begin(_ kind: LogHead.Operation, _ schema: EntitySchema) {
            writer.append(kind.rawValue)
            writer.append(rootIndexes[schema.name] ?? 0)
        }
        writer.append(
            changes.updates.count + changes.deletes.count + changes.inserts.count + changes.removals.count)
        for update in changes.updates {
            begin(.update, update.key.schema)
            writer.append(update.key.id)
            writer.append(UInt64(bitPattern: update.expected))
            writer.append(owner: update.owner)
            writer.append(update.changes, further)
        }
        for delete in changes.deletes {
            begin(.delete, delete.key.schema)
            writer.append(delete.key.id)
            writer.append(UInt64(bitPattern: delete.version ?? 0))
            writer.append(owner: delete.owner)
        }
        for object in changes.inserts {
            begin(changes.keepsVersions ? .restore : .insert, object.schema)
            if changes.keepsVersions { writer.append(UInt64(bitPattern: object.version)) }
            writer.append(object, further)
        }
        for removal in changes.removals {
            let names = removal.reference.names
            begin(.removal, removal.reference.root)
            writer.append(names.count)
            for name in names { writer.append(name) }
            writer.append(removal.target)
        }
    }
}
