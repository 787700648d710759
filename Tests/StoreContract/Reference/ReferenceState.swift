internal import LarderData
internal import LarderDomain

/// The contents of a store, and the effect that the port specifies for a change set: slow, and simple enough to be
/// compared with the documentation of `Store.commit`.
struct ReferenceState: Sendable {
    private(set) var roots: [EntityKey: StorageObject] = [:]
    let schemas: [EntitySchema]

    /// The roots of a schema.
    func all(_ schema: EntitySchema) -> [StorageObject] { roots.values.filter { $0.schema.name == schema.name } }

    /// All roots and owned objects, by schema name, in an order independent of hashing.
    var everything: [String: [StorageObject]] {
        let sorted = roots.values.sorted { $0.id < $1.id }
        return Dictionary(grouping: sorted.flatMap { [$0] + $0.everythingOwned }, by: \.schema.name)
    }

    /// All faults that a store may report for a change set; empty if it must store the change set.
    func faults(of changes: ChangeSet) -> Set<Fault> {
        let updates = changes.updates.map { RootExpectation($0.key, version: $0.expected) }
        for expectation in changes.reads + updates + changes.deletes {
            let found = roots[expectation.key]?.version
            if found == expectation.version { continue }
            return [.conflict(expectation.key.reference, expected: expectation.version, found: found)]
        }
        for object in changes.inserts where roots[object.key] != nil { return [Self.taken(object.schema, object.id)] }
        let next = state(after: changes)
        let written = changes.inserts.map(\.key) + changes.updates.map(\.key)
        let kinds: [(ReferenceState) -> Set<Fault>] = [
            { $0.faultsOfOwnedIDs }, { $0.faultsOfUniqueness(among: written) }, { $0.faultsOfReferences },
        ]
        return kinds.lazy.map { $0(next) }.first { !$0.isEmpty } ?? []
    }

    /// The state after a change set, regardless of faults.
    func state(after changes: ChangeSet) -> ReferenceState {
        var next = self
        for delete in changes.deletes { next.roots[delete.key] = nil }
        for update in changes.updates {
            var object = roots[update.key]?.applying(update.changes)
            object?.version = update.expected + 1
            next.roots[update.key] = object
        }
        for object in changes.inserts {
            next.roots[object.key] = object
            next.roots[object.key]?.version = 1
        }
        let removals = PreparedRemovals(changes.removals)
        for (key, object) in next.roots {
            guard let changed = removals.applied(to: object) else { continue }
            next.roots[key] = changed
            if roots[key]?.version == object.version { next.roots[key]?.version += 1 }
        }
        return next
    }

    /// The notification that observers receive for a change set.
    static func entries(of changes: ChangeSet) -> [CommittedChange] {
        var entries: [CommittedChange] = []
        for object in changes.inserts {
            var owner: RawID?
            if let column = object.schema.ownerColumn, case .id(let id) = object.values[column] { owner = id }
            entries.append(CommittedChange(object.reference, kind: .inserted, version: 1, owner: owner))
        }
        for update in changes.updates {
            let version = update.expected + 1
            entries.append(CommittedChange(update.key.reference, kind: .updated, version: version, owner: update.owner))
        }
        for delete in changes.deletes {
            let version = delete.version ?? 0
            entries.append(CommittedChange(delete.key.reference, kind: .deleted, version: version, owner: delete.owner))
        }
        return entries
    }

    private static func taken(_ schema: EntitySchema, _ id: RawID) -> Fault {
        .duplicate(Duplicate(entity: schema.name, columns: ["id"], existing: id))
    }

    private var faultsOfOwnedIDs: Set<Fault> {
        var (seen, faults): (Set<EntityKey>, Set<Fault>) = ([], [])
        func look(_ object: StorageObject) {
            for owned in object.children.joined() {
                if !seen.insert(owned.key).inserted { faults.insert(Self.taken(owned.schema, owned.id)) }
                look(owned)
            }
        }
        for root in roots.values { look(root) }
        return faults
    }

    private func faultsOfUniqueness(among written: [EntityKey]) -> Set<Fault> {
        var faults: Set<Fault> = []
        for schema in schemas {
            let all = all(schema)
            let isWritten = Set(written.filter { $0.schema.name == schema.name }.map(\.id))
            for group in schema.uniques {
                let columns = group.map { schema.columns[$0].name }
                var holders: [[Value]: [RawID]] = [:]
                for object in all where !group.contains(where: { object.values[$0] == .null }) {
                    holders[group.map { object.values[$0] }, default: []].append(object.id)
                }
                for ids in holders.values where ids.count > 1 && !isWritten.isDisjoint(with: ids) {
                    // If several roots are written, each is at fault and conflicts with the others.
                    let others = ids.filter(isWritten.contains).count > 1 ? ids : ids.filter { !isWritten.contains($0) }
                    for id in others {
                        faults.insert(.duplicate(Duplicate(entity: schema.name, columns: columns, existing: id)))
                    }
                }
            }
        }
        return faults
    }

    private var faultsOfReferences: Set<Fault> {
        var faults: Set<Fault> = []
        func look(_ holder: StorageObject) {
            func resolve(_ member: String, _ target: String, _ id: RawID) {
                if let schema = schemas.first(where: { $0.name == target }), roots[EntityKey(schema, id)] != nil {
                    return
                }
                faults.insert(.dangling(Dangling(entity: holder.schema.name, column: member, id: id)))
            }
            for (column, value) in zip(holder.schema.columns, holder.values) {
                if let reference = column.reference, case .id(let id) = value {
                    resolve(column.name, reference.target, id)
                }
            }
            for (link, ids) in zip(holder.schema.links, holder.links) {
                for id in ids { resolve(link.name, link.target, id) }
            }
            for owned in holder.children.joined() { look(owned) }
        }
        for root in roots.values { look(root) }
        return faults
    }
}
