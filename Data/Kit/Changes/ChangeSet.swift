public import LarderDomain

/// The content of one commit, as a value that can be printed, dry-run, replayed or sent to another store.
///
/// Each root is in at most one entry of the first four lists, and in none if the bulk update changes it; the caller ensures
/// this. The exception is a root that is replaced, see ``keepsVersions``. Each of these entries expects a version or absence:
/// there are no upserts and no unconditional deletes. Removals and bulk updates name no roots and have no expectation.
public struct ChangeSet: Sendable {
    /// The id of the commit, see ``Store/outcome(of:)``; ignored by `==`.
    public var id: CommitID
    /// New roots with their owned objects, stored at version 1 [set.1]; each expects that no root of its schema has its
    /// id [set.2].
    public var inserts: [StorageObject]
    /// Changes of roots and their owned objects [set.3]; each expects a version [set.4].
    public var updates: [RootUpdate]
    /// Roots to delete with their owned objects [set.5]. Each expects a version [set.6]; an entry without a version is
    /// rejected (`invalid`), whether the root exists or not [set.7].
    public var deletes: [RootExpectation]
    /// Roots that were only read; each expects the version that was read, or absence [set.8].
    public var reads: [RootExpectation]
    /// References to remove from all roots, after the changes above [set.9]. The version of each affected root is
    /// raised once: an updated root has the version expected + 1, an inserted one 1 [set.10].
    public var removals: [ReferenceRemoval]
    /// The update of all roots that satisfy a condition, after the changes above. Only stores with
    /// ``Capability/bulkUpdates`` accept it.
    public var bulk: BulkChange?

    /// Whether an inserted root gets the version of its storage object [set.11], 1 to 2⁶², instead of 1, so that no later
    /// change of it overflows. Only for a restore or a mirror. A root that is deleted and inserted is then replaced, at
    /// any version [set.12]: references to it remain [set.13].
    public var keepsVersions = false

    /// Creates a change set; without arguments, an empty one with a new commit id.
    public init(
        id: CommitID = CommitID(), inserts: [StorageObject] = [], updates: [RootUpdate] = [],
        deletes: [RootExpectation] = [], reads: [RootExpectation] = [], removals: [ReferenceRemoval] = [],
        bulk: BulkChange? = nil
    ) {
        (self.id, self.inserts, self.updates, self.deletes) = (id, inserts, updates, deletes)
        (self.reads, self.removals, self.bulk) = (reads, removals, bulk)
    }

    /// Whether the commit would write nothing. Reads alone need no commit.
    public var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletes.isEmpty && removals.isEmpty && bulk == nil
    }

    /// The roots that are deleted and inserted; none unless it ``keepsVersions``.
    public var replacedRoots: Set<EntityKey> {
        keepsVersions && !deletes.isEmpty ? Set(inserts.map(\.key)).intersection(deletes.map(\.key)) : []
    }

    /// The version of an inserted root.
    public func version(inserting root: StorageObject) -> Int64 { keepsVersions ? root.version : 1 }
}

extension ChangeSet: Equatable {
    /// Compares everything except the commit id.
    public static func == (lhs: ChangeSet, rhs: ChangeSet) -> Bool {
        lhs.inserts == rhs.inserts && lhs.updates == rhs.updates && lhs.deletes == rhs.deletes && lhs.reads == rhs.reads
            && lhs.removals == rhs.removals && lhs.bulk == rhs.bulk && lhs.keepsVersions == rhs.keepsVersions
    }
}

/// A root and its expected version.
public struct RootExpectation: Sendable, Equatable {
    /// The root.
    public let key: EntityKey
    /// The expected version; for a read, `nil` expects that the root does not exist.
    public let version: Int64?
    /// The root's owner before the deletion; passed to observers [set.14], because it determines who may see the
    /// deletion.
    public let owner: RawID?

    /// Expects a version of a root; `nil`, for a read, its absence.
    public init(_ key: EntityKey, version: Int64?, owner: RawID? = nil) {
        (self.key, self.version, self.owner) = (key, version, owner)
    }
}

/// A change of one root. Raises its version by one, also if only owned objects change [set.15].
public struct RootUpdate: Sendable, Equatable {
    /// The root.
    public let key: EntityKey
    /// The expected version.
    public let expected: Int64
    /// The differences.
    public let changes: ObjectChanges
    /// The root's owner after the change; passed to observers [set.16], because it determines who may see the change.
    public let owner: RawID?

    /// Describes a change; the store writes the version after the expected one.
    public init(_ key: EntityKey, expected: Int64, changes: ObjectChanges, owner: RawID? = nil) {
        (self.key, self.expected, self.owner, self.changes) = (key, expected, owner, changes)
    }
}

/// The difference between two states of one object. Columns and lists that it does not name remain as they are
/// [set.17].
public struct ObjectChanges: Sendable, Equatable {
    /// The columns with a new value, in column order.
    public var columns: [ColumnChange] = []
    /// The changed lists of links.
    public var links: [LinkChange] = []
    /// The owned objects that were inserted, changed, moved or deleted.
    public var children: [ChildChange] = []

    /// Creates a difference without changes.
    public init() {}

    /// Whether there is no difference.
    public var isEmpty: Bool { columns.isEmpty && links.isEmpty && children.isEmpty }
}

/// A column's new value.
public struct ColumnChange: Sendable, Equatable {
    /// The index of the column.
    public let column: Int
    /// Its new value.
    public let value: Value

    /// Sets a column, by its index in the schema, to a value.
    public init(column: Int, value: Value) {
        self.column = column
        self.value = value
    }
}

/// A change of one list of links, by position.
public struct LinkChange: Sendable, Equatable {
    /// The index of the list.
    public let relationship: Int
    /// The positions with a new id, ascending [set.18]; positions after the old end append [set.19].
    public let places: [LinkPlace]
    /// The list's new length; links after it are removed [set.20].
    public let count: Int

    /// Describes a change of the list of links with this index in the schema.
    public init(relationship: Int, places: [LinkPlace], count: Int) {
        (self.relationship, self.places, self.count) = (relationship, places, count)
    }
}

/// One position of a list of links.
public struct LinkPlace: Sendable, Equatable {
    /// The position, from 0.
    public let position: Int
    /// The id at the position.
    public let id: RawID

    /// Puts an id at a position, from 0.
    public init(position: Int, id: RawID) {
        self.position = position
        self.id = id
    }
}

/// A change of one owned object.
///
/// An id identifies one owned object of its schema in the whole store. A move within the list is an update; a move to
/// another list of the schema, or another root, deletes and inserts it in one change set [set.21]. Moves may change
/// fields.
public struct ChildChange: Sendable, Equatable {
    /// The kind of change.
    public enum Kind: Sendable, Equatable {
        /// A new object at this position, from 0 [set.22].
        case insert(StorageObject, position: Int)
        /// A move to this position of the new list, field changes, or both [set.23].
        case update(position: Int?, ObjectChanges)
        /// A deletion, including the objects that it owns [set.24].
        case delete
    }

    /// The index of the list that contains the object.
    public let relationship: Int
    /// The id of the object.
    public let id: RawID
    /// The kind of change.
    public let kind: Kind

    /// Describes a change in the list of owned objects with this index in the schema.
    public init(relationship: Int, id: RawID, kind: Kind) {
        (self.relationship, self.id, self.kind) = (relationship, id, kind)
    }
}
