package import LarderData
internal import LarderDomain

/// The decoded content of a record after the head.
enum LogRecord {
    /// Retained commits before the start of the log.
    case journal([RetainedCommits.Entry])
    /// Roots with their state at the start of the log.
    case roots([StorageObject])
    /// The end of these roots, with their total number.
    case end(roots: Int)
    /// A group of commits, with the number of the first and the time, which is 0 before format 5.
    case commits(first: Int64, at: Timestamp, [ChangeSet])
}

/// The decoded first record of a log, with which the other records are decoded.
package struct LogHead: Sendable {
    enum Operation: UInt8 {
        case update = 1
        case delete = 2
        case insert = 3
        /// Since format 2.
        case removal = 4
        /// An insert at a given version; since format 2.
        case restore = 5
    }

    /// The number of the last commit before the log.
    let sequence: Int64
    let format: UInt64
    /// Identifies the lifetime of the store's tokens; 0 without a journal.
    let lifetime: UInt64
    /// The time since which the journal is complete.
    let completeSince: Timestamp
    package let record: SchemaRecord
    /// The schemas of the log: the declared ones if they are the same, member by member.
    package let schemas: SchemaSet
    /// The layouts of the root schemas, in the order in which records number them.
    let layouts: [LogLayout]

    /// Decodes a record after the head.
    func record(_ kind: RecordFrame.Kind, _ content: ValueReader) throws(MalformedBytes) -> LogRecord {
        var reader = content
        switch kind {
        case .journal:
            var entries: [RetainedCommits.Entry] = []
            while !reader.isAtEnd { entries.append(try retained(&reader)) }
            return .journal(entries)
        case .roots:
            var roots: [StorageObject] = []
            while !reader.isAtEnd { roots.append(try root(&reader)) }
            return .roots(roots)
        case .end:
            let roots = try reader.count()
            guard reader.isAtEnd else { throw MalformedBytes() }
            return .end(roots: roots)
        case .commits:
            guard let first = Int64(exactly: try reader.fixed()), first < .max / 2 else { throw MalformedBytes() }
            let time = Int64(bitPattern: format < 5 ? 0 : try reader.fixed())
            if reader.isAtEnd { throw MalformedBytes() }
            var commits: [ChangeSet] = []
            while !reader.isAtEnd { commits.append(try changes(&reader)) }
            return .commits(first: first, at: Timestamp(microseconds: time), commits)
        default: throw MalformedBytes()
        }
    }

    /// Decodes a root with its version.
    func root(_ reader: inout ValueReader) throws(MalformedBytes) -> StorageObject {
        let layout = try layout(&reader)
        let version = Int64(bitPattern: try reader.number())
        // The next version must not overflow.
        guard (1 ..< .max).contains(version) else { throw MalformedBytes() }
        return try layout.object(&reader, version: version)
    }

    func changes(_ reader: inout ValueReader) throws(MalformedBytes) -> ChangeSet {
        var changes = ChangeSet(id: format < 5 ? CommitID() : CommitID(try reader.id()))
        for _ in 0..<(try reader.countOfItems()) {
            guard let operation = Operation(rawValue: try reader.byte()) else { throw MalformedBytes() }
            switch operation {
            case .restore:
                changes.keepsVersions = true
                changes.inserts.append(try root(&reader))
            case .insert: changes.inserts.append(try layout(&reader).object(&reader))
            case .removal: changes.removals.append(try removal(&reader))
            case .update, .delete:
                let layout = try layout(&reader)
                let key = EntityKey(layout.schema, try reader.id())
                let version = Int64(bitPattern: try reader.number())
                let hasOwner = format < 5 ? 0 : try reader.byte()
                let owner = hasOwner == 0 ? nil : try reader.id()
                if operation == .delete {
                    changes.deletes.append(RootExpectation(key, version: version == 0 ? nil : version, owner: owner))
                    continue
                }
                guard version < .max else { throw MalformedBytes() }
                changes.updates.append(
                    RootUpdate(key, expected: version, changes: try layout.changes(&reader), owner: owner))
            }
        }
        return changes
    }

    private func removal(_ reader: inout ValueReader) throws(MalformedBytes) -> ReferenceRemoval {
        let root = try layout(&reader).schema
        var names: [String] = []
        for _ in 0..<(try reader.countOfItems()) { names.append(try reader.text()) }
        guard let reference = root.references.first(where: { $0.names == names }), reference.isRemovable else {
            throw MalformedBytes()
        }
        return ReferenceRemoval(of: try reader.id(), from: reference)
    }

    private func layout(_ reader: inout ValueReader) throws(MalformedBytes) -> LogLayout {
        let index = try reader.count()
        guard index < layouts.count else { throw MalformedBytes() }
        return layouts[index]
    }
}
