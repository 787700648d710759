internal import LarderData
internal import LarderDomain

/// What the records of a log say, for the schemas of one store; made once, because its head costs something.
final class LogCodec: Sendable {
    /// The format of what is written; a greater one is of a newer program.
    static let format: UInt64 = 2

    let schemas: SchemaSet
    /// A record ends with the root or before the commit that would make it longer than this; one of them may be longer.
    let recordBytes: Int
    private let declaration: ArraySlice<UInt8>
    private let layouts: [LogLayout]
    private let rootIndexes: [String: Int]

    init(_ schemas: SchemaSet, recordBytes: Int = 1 << 20) {
        (self.schemas, self.recordBytes) = (schemas, recordBytes)
        let items = schemas.items
        var writer = ValueWriter.record
        writer.append(items.count)
        for item in items {
            for text in [item.entity, item.kind.rawValue, item.name, item.declaration] { writer.append(text) }
        }
        declaration = writer.content
        layouts = schemas.roots.map { LogLayout($0, recorded: items) }
        rootIndexes = Dictionary(uniqueKeysWithValues: schemas.roots.enumerated().map { ($1.name, $0) })
    }

    /// The first record of a log: its format, the number of the last commit before it, and what is declared.
    func head(after sequence: Int64) -> ValueWriter {
        var writer = ValueWriter.record
        writer.append(fixed: UInt32(truncatingIfNeeded: Self.format))
        writer.append(fixed: UInt64(bitPattern: sequence))
        writer.append(content: declaration)
        return writer
    }

    /// What the first record of a log says; `nil` where it is none. Throws `incompatible` for a newer format, and for
    /// schemas that differ in more than additions.
    func readHead(_ reader: ValueReader, path: String) throws(PersistencyError) -> LogHead? {
        var reader = reader
        guard let format = try? reader.fixed(bytes: 4) else { return nil }
        guard format <= Self.format else {
            throw .incompatible("\(path) is of format \(format), which is newer than \(Self.format)")
        }
        // Half of all numbers are left for commits to come.
        guard let number = try? reader.fixed(), let sequence = Int64(exactly: number), sequence <= .max / 2 else {
            return nil
        }
        if format == Self.format, reader.rest == declaration {
            return LogHead(sequence: sequence, layouts: layouts, isCurrent: true)
        }
        guard let recorded = try? Self.readItems(&reader) else { return nil }
        let added = try schemas.additions(to: Set(recorded))
        let names = recorded.filter { $0.kind == .entity && $0.name == "root" }.map(\.entity)
        let layouts = names.compactMap { schemas[$0] }.map { LogLayout($0, recorded: recorded) }
        return LogHead(sequence: sequence, layouts: layouts, isCurrent: false, added: added)
    }

    private static func readItems(_ reader: inout ValueReader) throws(MalformedBytes) -> [SchemaItem] {
        var items: [SchemaItem] = []
        for _ in 0..<(try reader.countOfItems()) {
            let (entity, kind) = (try reader.text(), try reader.text())
            let (name, declaration) = (try reader.text(), try reader.text())
            // Earlier versions recorded indexes, too.
            if kind == "index" { continue }
            guard let kind = SchemaItem.Kind(rawValue: kind) else { throw MalformedBytes() }
            items.append(SchemaItem(entity: entity, kind: kind, name: name, declaration: declaration))
        }
        guard reader.isAtEnd else { throw MalformedBytes() }
        return items
    }

    /// Adds a root as it is.
    func append(_ root: StorageObject, to writer: inout ValueWriter) {
        writer.append(rootIndexes[root.schema.name] ?? 0)
        writer.append(UInt64(bitPattern: root.version))
        writer.append(root)
    }

    /// Adds a commit that was judged; the first of a record comes after its number.
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
            writer.append(update.changes)
        }
        for delete in changes.deletes {
            begin(.delete, delete.key.schema)
            writer.append(delete.key.id)
            writer.append(UInt64(bitPattern: delete.version ?? 0))
        }
        for object in changes.inserts {
            begin(changes.keepsVersions ? .restore : .insert, object.schema)
            if changes.keepsVersions { writer.append(UInt64(bitPattern: object.version)) }
            writer.append(object)
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
