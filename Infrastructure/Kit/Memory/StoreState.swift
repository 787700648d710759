internal import LarderData
internal import LarderDomain

/// All that a store in memory holds, as a value: the roots, and what finds duplicates and referrers without a scan.
///
/// A commit is first judged against it, which changes nothing, and then applied, which cannot fail; so there is never
/// anything to undo.
struct StoreState: Sendable {
    let schemas: SchemaSet
    private(set) var sequence: Int64
    /// How many rows the commits wrote so far.
    private(set) var rowsWritten = 0
    /// The roots, by the names of their schemas; a copy stays as it is.
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

    /// The roots of a schema as they are now; a copy stays as it is.
    ///
    /// - Throws: `unknownEntity` for a schema that is no root of the store's.
    func table(of schema: EntitySchema) throws(PersistencyError) -> RootTable {
        guard let table = tables[schema.name] else { throw .unknownEntity(schema.name) }
        return table
    }

    subscript(key: EntityKey) -> StorageObject? { tables[key.schema.name]?[key.id] }

    func holder(of values: UniqueValues) -> RawID? { uniques[values] }

    func owner(of object: EntityReference) -> RawID? { owners[object] }

    /// The roots that refer to one, or own something that does.
    func referrers(to target: EntityReference) -> Set<EntityKey> { referrers[target] ?? [] }

    func outgoingReferences(of object: StorageObject) -> [OutgoingReference] {
        referring.contains(object.schema.name) ? object.outgoingReferences : []
    }

    /// Makes changes that were judged against this very state; the commit's number is one more than the last.
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

    /// Removes references from the roots that have them, one root after the other.
    private mutating func remove(
        _ removals: [ReferenceRemoval], _ onRemoval: (_ old: StorageObject, _ new: StorageObject) -> Void
    ) {
        let prepared = PreparedRemovals(removals)
        for removal in removals {
            for key in referrers(to: EntityReference(entity: removal.reference.target, id: removal.target)) {
                // All removals at once: a root that a later one affects too refers to nothing then, and changes once.
                guard let old = self[key], var new = prepared.applied(to: old) else { continue }
                new.version += 1
                make([.init(key: key, old: old, new: new)])
                rowsWritten += 1 + ObjectChanges(from: old, to: new).rowCount(in: old)
                onRemoval(old, new)
            }
        }
    }

    /// Takes back the commit that was applied last, unless it had removals: of these, nothing is kept.
    mutating func takeBack(_ judged: JudgedChanges) {
        make(judged.writes.map { .init(key: $0.key, old: $0.new, new: $0.old) })
        sequence -= 1
        rowsWritten -= judged.rows
    }

    /// Puts a root in that was kept elsewhere, at the version that it has. What it refers to may follow.
    ///
    /// - Throws: `duplicate` where something is there that cannot be there with it.
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

/// The values of one group of columns that are unique together.
struct UniqueValues: Hashable, Sendable {
    let schema: String
    let group: Int
    let values: [Value]

    /// Those of an object; a group with a `null` in it has none.
    static func all(of object: StorageObject) -> [UniqueValues] {
        object.schema.uniques.enumerated().compactMap { group, columns in
            let values = columns.map { object.values[$0] }
            if values.contains(.null) { return nil }
            return UniqueValues(schema: object.schema.name, group: group, values: values)
        }
    }
}

extension StorageObject {
    /// Everything that the aggregate owns, at any depth.
    var ownedReferences: [EntityReference] {
        children.joined().flatMap { [$0.reference] + $0.ownedReferences }
    }
}
