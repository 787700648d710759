internal import LarderData
internal import LarderDomain

/// The state of a store in memory, as a value: the roots, and indexes to find duplicates and referrers without a scan.
///
/// A commit is first judged, which changes nothing, and then applied, which cannot fail. So a rejected commit needs no
/// rollback.
struct StoreState: Sendable {
    let schemas: SchemaSet
    private(set) var sequence: Int64
    /// The number of rows written by all commits so far.
    private(set) var rowsWritten = 0
    /// The tables, by the names of their schemas; a copy is a snapshot.
    private(set) var tables: [String: RootTable]
    private var uniques: [UniqueValues: RawID] = [:]
    private var owners: [EntityReference: RawID] = [:]
    private var referrers: [EntityReference: Set<EntityKey>] = [:]
    private let referring: Set<String>

    init(schemas: SchemaSet, sequence: Int64 = 0) {
        self.schemas = schemas
        self.sequence = sequence
        tables = Dictionary(
            uniqueKeysWithValues: schemas.roots.map { ($0.name, RootTable(indexing: $0.indexedColumns)) })
        referring = Set(schemas.roots.filter(\.canRefer).map(\.name))
    }

    /// The table of a schema; a copy is a snapshot.
    ///
    /// - Throws: `unknownEntity` for a schema that is not a root schema of the store.
    func table(of schema: EntitySchema) throws(PersistencyError) -> RootTable {
        guard let table = tables[schema.name] else { throw .unknownEntity(schema.name) }
        return table
    }

    subscript(key: EntityKey) -> StorageObject? { tables[key.schema.name]?[key.id] }

    func holder(of values: UniqueValues) -> RawID? { uniques[values] }

    func owner(of object: EntityReference) -> RawID? { owners[object] }

    /// The roots that refer to a target, or own an object that does.
    func referrers(to target: EntityReference) -> Set<EntityKey> { referrers[target] ?? [] }

    func outgoingReferences(of object: StorageObject) -> [OutgoingReference] {
        referring.contains(object.schema.name) ? object.outgoingReferences : []
    }

    /// Applies changes that were judged against exactly this state, and increments the commit number.
    ///
    /// - Parameter onRemoval: Receives each root that a removal affects, before and after.
    mutating func apply(
        _ judged: JudgedChanges, removals: [ReferenceRemoval],
        onRemoval: (_ old: StorageObject, _ new: StorageObject) -> Void = { _, _ in }
    ) {
        make(judged.writes)
        if !removals.isEmpty { remove(removals, onRemoval) }
        sequence += 1
        rowsWritten += judged.rows
    }

    /// Removes references from the roots that have them.
    private mutating func remove(
        _ removals: [ReferenceRemoval], _ onRemoval: (_ old: StorageObject, _ new: StorageObject) -> Void
    ) {
        let prepared = PreparedRemovals(removals)
        for removal in removals {
            for key in referrers(to: EntityReference(entity: removal.reference.target, id: removal.target)) {
                // Applies all removals at once, so that a root changes once even if several affect it.
                guard let old = self[key], var new = prepared.applied(to: old) else { continue }
                new.version += 1
                make([.init(key: key, old: old, new: new)])
                rowsWritten += 1 + ObjectChanges(from: old, to: new).rowCount(in: old)
                onRemoval(old, new)
            }
        }
    }

    /// Rolls back the last commit. It must have no removals, because their effects are not recorded.
    mutating func takeBack(_ judged: JudgedChanges) {
        make(judged.writes.map { .init(key: $0.key, old: $0.new, new: $0.old) })
        sequence -= 1
        rowsWritten -= judged.rows
    }

    /// Inserts a stored root with its version. The targets of its references may follow.
    ///
    /// - Throws: `duplicate` if its id, a unique value or an owned object exists already.
    mutating func restore(_ root: StorageObject) throws(PersistencyError) {
        let write = JudgedChanges.Write(key: EntityKey(root.schema, root.id), old: nil, new: root)
        try judgeRestored(write)
        make([write])
    }

    private mutating func make(_ writes: [JudgedChanges.Write]) {
        for write in writes {
            guard let old = write.old else { continue }
            for values in UniqueValues.all(of: old) { uniques[values] = nil }
            for reference in old.ownedReferences { owners[reference] = nil }
        }
        for write in writes {
            if let new = write.new {
                for values in UniqueValues.all(of: new) { uniques[values] = new.id }
                for reference in new.ownedReferences { owners[reference] = new.id }
                tables[write.key.schema.name]?.put(new)
            } else {
                tables[write.key.schema.name]?.remove(write.key.id)
            }
            keepReferrers(of: write)
        }
    }

    private mutating func keepReferrers(of write: JudgedChanges.Write) {
        guard referring.contains(write.key.schema.name) else { return }
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

extension StorageObject {
    /// The references to all owned objects, at any depth.
    var ownedReferences: [EntityReference] {
        children.joined().flatMap { [$0.reference] + $0.ownedReferences }
    }
}
