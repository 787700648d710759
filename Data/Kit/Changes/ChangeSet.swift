public import LarderDomain

/// What one commit does: a value that can be printed, run dry, replayed or sent to another store.
///
/// It contains each root at most once, in one of its first four lists; the caller ensures this. Each entry of these lists
/// expects a version or absence: there is no upsert, and no deletion of any version. Removals name no roots and expect
/// nothing.
public struct ChangeSet: Sendable {
    /// Identifies the commit, see ``Store/outcome(of:)``; not compared by `==`.
    public var id: CommitID
    /// New roots with all that they own; each expects that there is none with its id. They get version 1.
    public var inserts: [StorageObject]
    /// Changes of roots and of what they own; each expects a version.
    public var updates: [RootUpdate]
    /// Roots that are deleted with everything they own. Each expects a version; one without a version is refused
    /// (`invalid`), whether the root exists or not.
    public var deletes: [RootExpectation]
    /// Roots that were only read; each expects the version that was seen, or absence.
    public var reads: [RootExpectation]
    /// References that all roots lose once the changes above are made. Each root that loses one rises by one version,
    /// once: an updated root has the version expected + 1, an inserted one 1.
    public var removals: [ReferenceRemoval]

    /// Whether an inserted root gets the version of its storage object, at least 1, and not 1. Only for a restore or a
    /// mirror.
    public var keepsVersions = false

    public init(
        id: CommitID = CommitID(), inserts: [StorageObject] = [], updates: [RootUpdate] = [],
        deletes: [RootExpectation] = [], reads: [RootExpectation] = [], removals: [ReferenceRemoval] = []
    ) {
        (self.id, self.inserts, self.updates, self.deletes) = (id, inserts, updates, deletes)
        (self.reads, self.removals) = (reads, removals)
    }

    /// Whether it would write nothing. What was only read does not make it worth a commit.
    public var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty && removals.isEmpty }

    /// The version of an inserted root.
    public func version(inserting root: StorageObject) -> Int64 { keepsVersions ? root.version : 1 }
}

extension ChangeSet: Equatable {
    /// Whether two change sets do the same.
    public static func == (lhs: ChangeSet, rhs: ChangeSet) -> Bool {
        lhs.inserts == rhs.inserts && lhs.updates == rhs.updates && lhs.deletes == rhs.deletes && lhs.reads == rhs.reads
            && lhs.removals == rhs.removals && lhs.keepsVersions == rhs.keepsVersions
    }
}

/// A root and the version that it must have.
public struct RootExpectation: Sendable, Equatable {
    /// The root.
    public let key: EntityKey
    /// Its version; for a read, `nil` expects that the root does not exist.
    public let version: Int64?
    /// The root's owner before it is deleted; observers get it, because it determines who may see the deletion.
    public let owner: RawID?

    public init(_ key: EntityKey, version: Int64?, owner: RawID? = nil) {
        (self.key, self.version, self.owner) = (key, version, owner)
    }
}

/// A change of one root: raises its version by one, also when only what it owns changes.
public struct RootUpdate: Sendable, Equatable {
    /// The root.
    public let key: EntityKey
    /// The version that it must have.
    public let expected: Int64
    /// What differs.
    public let changes: ObjectChanges
    /// The root's owner after the change; observers get it, because it determines who may see the change.
    public let owner: RawID?

    public init(_ key: EntityKey, expected: Int64, changes: ObjectChanges, owner: RawID? = nil) {
        (self.key, self.expected, self.owner, self.changes) = (key, expected, owner, changes)
    }
}

/// What differs in one object: only that.
public struct ObjectChanges: Sendable, Equatable {
    /// The columns whose values differ, in the order of columns.
    public var columns: [ColumnChange] = []
    /// The lists of links that differ.
    public var links: [LinkChange] = []
    /// The owned objects that came, changed, moved or went.
    public var children: [ChildChange] = []

    public init() {}

    /// Whether nothing differs.
    public var isEmpty: Bool { columns.isEmpty && links.isEmpty && children.isEmpty }
}

/// A column's new value.
public struct ColumnChange: Sendable, Equatable {
    /// The column.
    public let column: Int
    /// Its new value.
    public let value: Value

    public init(column: Int, value: Value) {
        self.column = column
        self.value = value
    }
}

/// A change of one list of links, place by place.
public struct LinkChange: Sendable, Equatable {
    /// The list.
    public let relationship: Int
    /// The places whose id differs, ascending, with the new id; places past the old end are appended.
    public let places: [LinkPlace]
    /// The list's new length; what stood beyond it goes.
    public let count: Int

    public init(relationship: Int, places: [LinkPlace], count: Int) {
        (self.relationship, self.places, self.count) = (relationship, places, count)
    }
}

/// One place of a list of links.
public struct LinkPlace: Sendable, Equatable {
    /// From 0.
    public let position: Int
    /// The id that stands there.
    public let id: RawID

    public init(position: Int, id: RawID) {
        self.position = position
        self.id = id
    }
}

/// A change of one owned object.
///
/// An id names one owned object of its schema in the whole store. An object can move to another position, to another list of
/// the same schema, or to another root: deleted here and inserted there in one change set. Its fields may change with it.
public struct ChildChange: Sendable, Equatable {
    /// What happens to it.
    public enum Kind: Sendable, Equatable {
        /// It is new and stands at this position, from 0.
        case insert(StorageObject, position: Int)
        /// It moves to this position in the new list, if one is given, and differs by these changes: either or both.
        case update(position: Int?, ObjectChanges)
        /// It goes, with all that it owns.
        case delete
    }

    /// The list that it is in.
    public let relationship: Int
    /// The object.
    public let id: RawID
    /// What happens to it.
    public let kind: Kind

    public init(relationship: Int, id: RawID, kind: Kind) {
        (self.relationship, self.id, self.kind) = (relationship, id, kind)
    }
}
