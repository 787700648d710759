public import LarderDomain

/// The answer to a commit. The versions of the roots are known to the caller: 1 of an inserted root, and expected + 1 of
/// an updated one.
public struct CommitReceipt: Sendable, Equatable {
    /// The position of the commit. For an empty change set, the position of the last commit.
    public let token: StoreToken

    public init(token: StoreToken) {
        self.token = token
    }
}

/// An element of ``Store/changes(after:)``.
public enum StoreChange: Sendable, Equatable {
    /// A commit.
    case commit(CommittedChanges)
    /// Changes at this place are no longer retained, or the store cannot know whether there were some.
    case gap
}

/// One commit as its observers see it: names and versions, no content. A change set is one commit, whatever its size.
public struct CommittedChanges: Sendable, Equatable {
    /// The position of the commit, as in its receipt.
    public let token: StoreToken
    /// The roots that the change set names: the inserted, then the updated, then the deleted ones, each in the order of the
    /// change set. Roots that were only read are not among them.
    public let entries: [CommittedChange]
    /// The references that roots lost, in the order of the change set. The roots that had them are not named: each root
    /// of the reference's schema may have changed.
    public let removals: [ReferenceRemoval]

    public init(token: StoreToken, entries: [CommittedChange], removals: [ReferenceRemoval] = []) {
        self.token = token
        self.entries = entries
        self.removals = removals
    }

    /// Describes the commit of a change set.
    public init(token: StoreToken, of changes: ChangeSet) {
        let inserted = changes.inserts.map {
            CommittedChange(
                key: EntityKey($0.schema, $0.id), kind: .inserted, version: changes.version(inserting: $0),
                owner: $0.owner)
        }
        let updated = changes.updates.map {
            CommittedChange(key: $0.key, kind: .updated, version: $0.expected + 1, owner: $0.owner)
        }
        let deleted = changes.deletes.map {
            CommittedChange(key: $0.key, kind: .deleted, version: $0.version ?? 0, owner: $0.owner)
        }
        self.init(token: token, entries: inserted + updated + deleted, removals: changes.removals)
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

    public init(key: EntityKey, kind: Kind, version: Int64, owner: RawID? = nil) {
        self.key = key
        self.owner = owner
        self.kind = kind
        self.version = version
    }
}
