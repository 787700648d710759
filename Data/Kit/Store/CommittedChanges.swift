public import LarderDomain

/// The result of a commit. The caller knows the versions: 1 for an inserted root, and expected + 1 for an updated root.
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
    /// Changes at this position are no longer retained, or the store cannot know whether there were any.
    case gap
}

/// One commit as published to observers: names and versions, no content. A change set of any size is one commit.
public struct CommittedChanges: Sendable, Equatable {
    /// The position of the commit, as in its receipt.
    public let token: StoreToken
    /// The roots that the change set names: inserted, then updated, then deleted ones, each in the order of the change
    /// set. Roots that were only read are omitted.
    public let entries: [CommittedChange]
    /// The removed references, in the order of the change set. The roots that had them are not named: each root of the
    /// reference's schema may have changed.
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
                key: $0.key, kind: .inserted, version: changes.version(inserting: $0),
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
    /// The kind of change.
    public enum Kind: String, Sendable {
        /// The root is new.
        case inserted
        /// The root, or an object that it owns, changed.
        case updated
        /// The root no longer exists.
        case deleted
    }

    /// The root.
    public let key: EntityKey
    /// The kind of change.
    public let kind: Kind
    /// The root's version after the commit, or the version at which it was deleted.
    public let version: Int64
    /// The root's owner: for an inserted root the value of ``EntitySchema/ownerColumn``, for an updated or deleted root
    /// the owner that the change set names. Readers of changes use it for access control.
    public let owner: RawID?

    public init(key: EntityKey, kind: Kind, version: Int64, owner: RawID? = nil) {
        self.key = key
        self.owner = owner
        self.kind = kind
        self.version = version
    }
}
