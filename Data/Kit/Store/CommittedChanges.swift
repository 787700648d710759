public import LarderDomain

/// What a commit answers.
public struct CommitReceipt: Sendable, Equatable {
    /// The commit's number, greater than that of every commit before it in this open store.
    public let sequence: Int64
    /// The version that each root now has which was inserted or updated.
    public let versions: [EntityKey: Int64]

    /// Makes a receipt.
    public init(sequence: Int64, versions: [EntityKey: Int64]) {
        self.sequence = sequence
        self.versions = versions
    }
}

/// One commit as its observers see it: names and versions, no content.
public struct CommittedChanges: Sendable, Equatable {
    /// The commit's number.
    public let sequence: Int64
    /// Its roots: those inserted, then those updated, then those deleted, as in the change set.
    public let entries: [CommittedChange]

    /// Describes a commit.
    public init(sequence: Int64, entries: [CommittedChange]) {
        self.sequence = sequence
        self.entries = entries
    }

    /// Describes the commit of a change set.
    public init(sequence: Int64, of changes: ChangeSet) {
        let inserted = changes.inserts.map {
            CommittedChange(key: EntityKey($0.schema, $0.id), kind: .inserted, version: 1, owner: $0.owner)
        }
        let updated = changes.updates.map {
            CommittedChange(key: $0.key, kind: .updated, version: $0.expected + 1, owner: $0.owner)
        }
        let deleted = changes.deletes.map {
            CommittedChange(key: $0.key, kind: .deleted, version: $0.version ?? 0, owner: $0.owner)
        }
        self.init(sequence: sequence, entries: inserted + updated + deleted)
    }

    /// The receipt of the commit.
    public var receipt: CommitReceipt {
        var versions: [EntityKey: Int64] = [:]
        versions.reserveCapacity(entries.count)
        for entry in entries where entry.kind != .deleted { versions[entry.key] = entry.version }
        return CommitReceipt(sequence: sequence, versions: versions)
    }
}

/// One root of a commit.
public struct CommittedChange: Sendable, Equatable {
    /// What happened to it.
    public enum Kind: String, Sendable {
        /// It is new.
        case inserted
        /// It, or something that it owns, changed.
        case updated
        /// It is gone.
        case deleted
    }

    /// The root.
    public let key: EntityKey
    /// What happened to it.
    public let kind: Kind
    /// The version that it has now, or had when it was deleted.
    public let version: Int64
    /// Whoever it belongs to, or belonged to when it was deleted; `nil` where its schema names no owner.
    public let owner: RawID?

    /// Describes a change.
    public init(key: EntityKey, kind: Kind, version: Int64, owner: RawID? = nil) {
        self.key = key
        self.owner = owner
        self.kind = kind
        self.version = version
    }
}
