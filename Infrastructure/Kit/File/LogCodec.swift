internal import LarderData
internal import LarderDomain

/// Encodes the records of a log for the schemas of one store. Created once, because encoding the schemas is costly.
final class LogCodec: Sendable {
    /// The format of written logs. A greater number belongs to a newer program.
    static let format: UInt64 = 3

    let schemas: SchemaSet
    let further: FurtherColumns
    /// The target size of a record in bytes. A record ends with the root that reaches it, or before the commit that
    /// would exceed it; a single commit may be larger.
    let recordBytes: Int
    private let declaration: ArraySlice<UInt8>
    private let rootIndexes: [String: Int]

    /// - Parameter further: The columns of the log that the schemas do not have.
    init(_ schemas: SchemaSet, further: FurtherColumns = FurtherColumns(), recordBytes: Int = 1 << 20) {
        (self.schemas, self.further, self.recordBytes) = (schemas, further, recordBytes)
        let items = schemas.items + further.items
        var writer = ValueWriter.record
        writer.append(items.count)
        for item in items {
            for value in item.values { writer.append(value) }
        }
        declaration = writer.content
        rootIndexes = Dictionary(uniqueKeysWithValues: schemas.roots.enumerated().map { ($1.name, $0) })
    }

    /// The first record of a log: its format, the number of the last commit before it, and the schemas with defaults.
    func head(after sequence: Int64) -> ValueWriter {
        var writer = ValueWriter.record
        writer.append(fixed: UInt32(truncatingIfNeeded: Self.format))
        writer.append(fixed: UInt64(bitPattern: sequence))
        writer.append(content: declaration)
        return writer
    }

    /// Decodes the first record of a log; `nil` if it is malformed. Throws `incompatible` for a newer format, and for
    /// schemas that differ in more than additions.
    func readHead(_ reader: ValueReader, path: String) throws(PersistencyError) -> LogHead? {
        var reader = reader
        guard let format = try? reader.fixed(bytes: 4) else { return nil }
        guard format <= Self.format else {
            throw .incompatible("\(path) is of format \(format), which is newer than \(Self.format)")
        }
        // Leaves half of all numbers for later commits.
        guard let number = try? reader.fixed(), let sequence = Int64(exactly: number), sequence <= .max / 2 else {
            return nil
        }
        let written = reader.rest
        guard let recorded = try? Self.readItems(&reader, format: format) else { return nil }
        let further = FurtherColumns(of: recorded, unknownTo: schemas)
        let codec = LogCodec(schemas, further: further, recordBytes: recordBytes)
        let added = try schemas.additions(to: recorded.filter { !further.items.contains($0) })
        let names = recorded.filter { $0.kind == .entity && $0.owner == nil }.map(\.entity)
        let layouts = names.compactMap { schemas[$0] }.map { LogLayout($0, recorded: recorded) }
        let isCurrent = format == Self.format && written == codec.declaration
        return LogHead(sequence: sequence, codec: codec, layouts: layouts, isCurrent: isCurrent, added: added)
    }

    private static func readItems(
        _ reader: inout ValueReader, format: UInt64
    ) throws(MalformedBytes) -> [SchemaItem] {
        var items: [SchemaItem] = []
        for _ in 0..<(try reader.countOfItems()) {
            guard let item = format < 3 ? try readText(&reader) : try SchemaItem(readValues(&reader)) else {
                throw MalformedBytes()
            }
            items.append(item)
        }
        // Until format 2, defaults followed the items; the first versions did not record them.
        for _ in 0..<(format < 3 && !reader.isAtEnd ? try reader.countOfItems() : 0) {
            let index = try reader.count()
            guard index < items.count else { throw MalformedBytes() }
            items[index].defaultValue = try reader.value()
        }
        guard reader.isAtEnd else { throw MalformedBytes() }
        return items
    }

    private static func readValues(_ reader: inout ValueReader) throws(MalformedBytes) -> [Value] {
        var values: [Value] = []
        for _ in SchemaItem.fields { values.append(try reader.value()) }
        return values
    }

    /// Reads an item of an earlier format.
    private static func readText(_ reader: inout ValueReader) throws(MalformedBytes) -> SchemaItem? {
        SchemaItem(
            entity: try reader.text(), kind: try reader.text(), name: try reader.text(), text: try reader.text())
    }

    /// Appends a root with its version.
    func append(_ root: StorageObject, to writer: inout ValueWriter) {
        writer.append(rootIndexes[root.schema.name] ?? 0)
        writer.append(UInt64(bitPattern: root.version))
        writer.append(root, further)
    }

    /// Appends a judged commit. The number of the first commit precedes the commits of a record.
    func append(_ changes: ChangeSet, to writer: inout ValueWriter) {
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
            writer.append(update.changes, further)
        }
        for delete in changes.deletes {
            begin(.delete, delete.key.schema)
            writer.append(delete.key.id)
            writer.append(UInt64(bitPattern: delete.version ?? 0))
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
