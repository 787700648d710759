package import LarderDomain

/// Encodes commits for the journals of durable stores: names, ids and versions, without position, id and time, which
/// the stores keep next to it.
package enum JournalCodec {
    /// Marks an entry with an owner.
    fileprivate static let hasOwner: UInt8 = 0x80

    /// The names of the entities, the entries with indexes of names, the removals, and a bulk update, if any.
    package static func bytes(of commit: CommittedChanges) -> [UInt8] {
        var names: [String] = []
        for entry in commit.entries where !names.contains(entry.reference.entity) {
            names.append(entry.reference.entity)
        }
        var writer = ValueWriter()
        // Every commit encodes its entries: one allocation for the usual one.
        writer.bytes.reserveCapacity(commit.size * 40 + 24)
        writer.append(commit, names: names)
        return writer.bytes
    }

    /// Decodes the bytes of a commit. Throws for any other bytes.
    package static func commit(
        _ bytes: [UInt8], token: ChangeToken, id: CommitID
    ) throws(MalformedBytes) -> CommittedChanges {
        var reader = ValueReader(bytes)
        let commit = try reader.commit(token: token, id: id)
        guard reader.isAtEnd else { throw MalformedBytes() }
        return commit
    }

    fileprivate static func code(_ kind: CommittedChange.Kind) -> UInt8 {
        switch kind {
        case .inserted: 1
        case .updated: 2
        case .deleted: 3
        }
    }
}

extension ValueWriter {
    fileprivate mutating func append(_ commit: CommittedChanges, names: [String]) {
        append(names.count)
        for name in names { append(name) }
        append(commit.entries.count)
        for entry in commit.entries {
            append(names.firstIndex(of: entry.reference.entity) ?? 0)
            append(JournalCodec.code(entry.kind) | (entry.owner == nil ? 0 : JournalCodec.hasOwner))
            append(UInt64(bitPattern: entry.version))
            append(entry.reference.id)
            if let owner = entry.owner { append(owner) }
        }
        append(commit.removals.count)
        for removal in commit.removals {
            append(removal.entity)
            append(removal.path.count)
            for name in removal.path { append(name) }
            append(removal.target.entity)
            append(removal.target.id)
        }
        // Programs before bulk updates end here.
        guard let bulk = commit.bulk else { return }
        append(bulk.entity)
        append(bulk.count ?? 0)
    }
}

extension ValueReader {
    fileprivate mutating func commit(
        token: ChangeToken, id: CommitID
    ) throws(MalformedBytes) -> CommittedChanges {
        let names = try texts()
        var entries: [CommittedChange] = []
        for _ in 0..<(try countOfItems()) {
            let name = try count()
            guard names.indices.contains(name) else { throw MalformedBytes() }
            let code = try byte()
            guard
                let kind = CommittedChange.Kind.allCases.first(where: {
                    JournalCodec.code($0) == code & ~JournalCodec.hasOwner
                })
            else {
                throw MalformedBytes()
            }
            let version = Int64(bitPattern: try number())
            let reference = EntityReference(entity: names[name], id: try self.id())
            let owner = code & JournalCodec.hasOwner == 0 ? nil : try self.id()
            entries.append(CommittedChange(reference, kind: kind, version: version, owner: owner))
        }
        var removals: [RemovedReference] = []
        for _ in 0..<(try countOfItems()) {
            let (entity, path) = (try text(), try texts())
            removals.append(
                RemovedReference(
                    from: entity, path: path, to: EntityReference(entity: try text(), id: try self.id())))
        }
        let bulk = isAtEnd ? nil : CommittedBulkUpdate(of: try text(), count: try count())
        return CommittedChanges(token: token, id: id, entries: entries, removals: removals, bulk: bulk)
    }

    private mutating func texts() throws(MalformedBytes) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try countOfItems()) { texts.append(try text()) }
        return texts
    }
}
