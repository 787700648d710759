public import LarderDomain

/// The roots of a store that keeps storage objects, by key. Dictionaries conform.
public protocol ObjectTable: Sendable {
    /// The root with a key. Setting `nil` removes it.
    subscript(key: EntityKey) -> StorageObject? { get set }
}

extension Dictionary: ObjectTable where Key == EntityKey, Value == StorageObject {}

/// The state of a store that keeps storage objects, as a value: the roots, and indexes to find duplicates and referrers
/// without a scan.
///
/// A commit is first judged, which changes nothing, and then applied, which cannot fail. So a rejected commit needs no
/// rollback.
public struct ObjectState<Table: ObjectTable>: Sendable {
    /// The schemas with which the store was opened.
    public let schemas: SchemaSet
    /// The roots.
    public private(set) var table: Table
    /// The number of the last commit.
    public private(set) var sequence: Int64
    /// The number of rows that a database would have written for all commits so far.
    public private(set) var rowsWritten = 0
    private(set) var uniques: [UniqueValues: RawID] = [:]
    private(set) var owners: [EntityReference: RawID] = [:]
    /// The roots that refer to a target, or own an object that does.
    private(set) var referrers: [EntityReference: Set<EntityKey>] = [:]

    /// - Parameters:
    ///   - schemas: The schemas of the store.
    ///   - table: An empty table; ``restore(_:)`` adds stored roots.
    ///   - sequence: The number of the last commit.
    public init(schemas: SchemaSet, table: Table, sequence: Int64 = 0) {
        (self.schemas, self.table, self.sequence) = (schemas, table, sequence)
    }

    /// Stores a change set, and increments ``sequence`` if it is not empty.
    ///
    /// - Throws: The errors of ``Store/commit(_:)`` for a change set that must not be stored. The state is unchanged then.
    /// - Complexity: O(*m*) lookups for *m* rows and references of the affected roots.
    public mutating func commit(_ changes: ChangeSet) throws(PersistencyError) {
        try changes.check(against: schemas)
        let writes = try judge(changes)
        if !changes.isEmpty { apply(writes, removals: changes.removals) }
    }

    /// Inserts a stored root with its version. The targets of its references may follow.
    ///
    /// - Throws: `duplicate` if its id, a unique value or an owned object exists already.
    public mutating func restore(_ root: StorageObject) throws(PersistencyError) {
        let write = RootWrite(key: EntityKey(root.schema, root.id), old: nil, new: root)
        try judgeRestored(write)
        make([write])
    }

    /// Applies writes that were judged against exactly this state, and increments the commit number.
    ///
    /// - Parameter onRemoval: Receives each root that a removal affects.
    package mutating func apply(
        _ writes: [RootWrite], removals: [ReferenceRemoval], onRemoval: (RootWrite) -> Void = { _ in }
    ) {
        make(writes)
        sequence += 1
        rowsWritten += writes.reduce(0) { $0 + $1.rows }
        let prepared = PreparedRemovals(removals)
        for removal in removals {
            for key in referrers[EntityReference(entity: removal.reference.target, id: removal.target)] ?? [] {
                // Applies all removals at once, so that a root changes once even if several affect it.
                guard let old = table[key], var new = prepared.applied(to: old) else { continue }
                new.version += 1
                let write = RootWrite(key: key, old: old, new: new)
                make([write])
                rowsWritten += 1 + ObjectChanges(from: old, to: new).rowCount(in: old)
                onRemoval(write)
            }
        }
    }

    /// Uses a commit number without a commit.
    package mutating func skipCommit() { sequence += 1 }

    /// Rolls back the last commit. It must have no removals, because their effects are not recorded.
    package mutating func takeBack(_ writes: [RootWrite]) {
        make(writes.map { RootWrite(key: $0.key, old: $0.new, new: $0.old) })
        sequence -= 1
        rowsWritten -= writes.reduce(0) { $0 + $1.rows }
    }

    private mutating func make(_ writes: [RootWrite]) {
        for write in writes {
            guard let old = write.old else { continue }
            for values in UniqueValues.all(of: old) { uniques[values] = nil }
            for reference in old.ownedReferences { owners[reference] = nil }
        }
        for write in writes {
            if let new = write.new {
                for values in UniqueValues.all(of: new) { uniques[values] = new.id }
                for reference in new.ownedReferences { owners[reference] = new.id }
            }
            table[write.key] = write.new
            keepReferrers(of: write)
        }
    }

    private mutating func keepReferrers(of write: RootWrite) {
        let before = Set(write.old?.outgoingReferences.map(\.target) ?? [])
        let after = Set(write.new?.outgoingReferences.map(\.target) ?? [])
        for target in before.subtracting(after) {
            referrers[target]?.remove(write.key)
            if referrers[target]?.isEmpty == true { referrers[target] = nil }
        }
        for target in after.subtracting(before) { referrers[target, default: []].insert(write.key) }
    }
}

/// The values of one unique group of columns.
struct UniqueValues: Hashable, Sendable {
    let schema: String
    let group: Int
    let values: [Value]

    /// The unique values of an object, without groups that contain `null`.
    static func all(of object: StorageObject) -> [UniqueValues] {
        object.schema.uniques.enumerated().compactMap { group, columns in
            let values = columns.map { object.values[$0] }
            if values.contains(.null) { return nil }
            return UniqueValues(schema: object.schema.name, group: group, values: values)
        }
    }
}
