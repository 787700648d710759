public import LarderDomain

/// What a commit answers.
public struct CommitReceipt: Sendable, Equatable {
    /// The commit's number: one more than that of the commit before it in this open store. A change set that is refused,
    /// cancelled or empty takes no number; for an empty one this is the number of the last commit.
    public let sequence: Int64
    /// The new version of each inserted or updated root, however many there are; deleted roots are not in it.
    public let versions: [EntityKey: Int64]

    /// Makes a receipt.
    public init(sequence: Int64, versions: [EntityKey: Int64]) {
        self.sequence = sequence
        self.versions = versions
    }
}

/// One commit as its observers see it: names and versions, no content. A change set is one commit, whatever its size.
public struct CommittedChanges: Sendable, Equatable {
    /// The commit's number, as in its receipt.
    public let sequence: Int64
    /// All its roots: the inserted, then the updated, then the deleted ones, each in the order of the change set. Roots
    /// that were only read are not among them.
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
    /// Its owner: of an inserted root the value of ``EntitySchema/ownerColumn``, of an updated or deleted one what the
    /// change set names. Readers of changes rely on it to decide who may see them.
    public let owner: RawID?

    /// Describes a change.
    public init(key: EntityKey, kind: Kind, version: Int64, owner: RawID? = nil) {
        self.key = key
        self.owner = owner
        self.kind = kind
        self.version = version
    }
}
