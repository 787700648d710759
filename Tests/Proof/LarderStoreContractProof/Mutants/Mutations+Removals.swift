import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in the removal of references from all roots.
    static let removals: [Mutation] = [
        updating("reverses the lists of links from which it removes one") { _, new in
            var wrong = new
            wrong.links = new.links.map { $0.reversed() }
            return wrong
        },
        removing("removes links, and sets no column to null") {
            if case .link = $0.reference.member { true } else { false }
        },
        removing("removes no reference from owned objects") { $0.reference.path.isEmpty },
        Mutation(.deleteRules, "raises a version with each removal") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for removal in changes.removals { _ = try await store.commit(ChangeSet(removals: [removal])) }
                changes.removals = []
                return try await store.commit(changes)
            }
        },
        Mutation(.deleteRules, "removes references although it refuses the change set") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    if !changes.removals.isEmpty { _ = try await store.commit(ChangeSet(removals: changes.removals)) }
                    throw error
                }
            }
        },
        Mutation(.deleteRules, "accepts removals from undeclared columns") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch .invalid where !changes.removals.isEmpty {
                    return try await store.commit(ChangeSet())
                }
            }
        },
        Mutation(.deleteRules, "judges unique values before it removes references") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for removal in changes.removals {
                    guard case .column(let column) = removal.reference.member else { continue }
                    let group = removal.reference.root.uniques.contains([column])
                    for insert in changes.inserts where group && insert.values[column] == .id(removal.target) {
                        throw .duplicate(Duplicate(entity: insert.schema.name, columns: [], existing: insert.id))
                    }
                }
                return try await store.commit(changes)
            }
        },
        updating("reports each root that a removal affects", .changes) { _, new in new },
        Mutation(.storeLife, "loses removals when it is opened") { mutation in
            var disk = DiskMutation()
            disk.writesAtOnce = \.removals.isEmpty
            mutation.disk = disk
        },
        Mutation(.deleteRules, "removes references from 500 roots") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.updates += Array(try await updates(for: changes, on: store) { $1 }.prefix(500))
                changes.removals = []
                return try await store.commit(changes)
            }
        },
        Mutation(.deleteRules, "raises the given version of a root with a removal") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                let removals = PreparedRemovals(changes.removals)
                var changes = changes
                for (index, root) in changes.inserts.enumerated() where changes.keepsVersions {
                    if removals.applied(to: root) != nil { changes.inserts[index].version += 1 }
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.deleteRules, "forgets which roots refer to a replaced one") { mutation in
            let replaced = Kept<Set<RawID>>([])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    let receipt = try await store.commit(changes)
                    _ = replaced.change { $0.union(changes.replacedRoots.map(\.id)) }
                    return receipt
                } catch {
                    guard case .dangling(let dangling) = error, changes.inserts.isEmpty, changes.updates.isEmpty,
                        replaced.change({ $0 }).contains(dangling.id)
                    else { throw error }
                    return .made
                }
            }
        },
        lagging("shows a deletion before the removals of its change set, to reads by ids") { _ in true },
        lagging("shows half of the removals of a change set with a deletion first, to reads by ids") { $0 % 2 == 0 },
    ]

    /// Shows the old state of some roots that removals affect to reads by ids, at the end of a commit that deletes.
    private static func lagging(_ name: String, _ isLate: @escaping @Sendable (_ place: Int) -> Bool) -> Mutation {
        Mutation(.concurrency, name) { mutation in
            let (late, reads) = (Kept<[RawID: StorageObject]>([:]), Kept(0))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                guard !changes.removals.isEmpty, !changes.deletes.isEmpty else {
                    return try await store.commit(changes)
                }
                let affected = try await updates(for: changes, on: store) { $1 }.map(\.key)
                var old: [RawID: StorageObject] = [:]
                for (place, key) in affected.enumerated() where isLate(place) {
                    old[key.id] = try await store.read(key.id, of: key.schema)
                }
                _ = late.exchange(old)
                defer { _ = late.exchange([:]) }
                let receipt = try await store.commit(changes)
                let before = reads.change { $0 }
                await yielding { reads.change { $0 } > before + 8 }
                return receipt
            }
            mutation.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                _ = reads.change { $0 + 1 }
                let old = late.change { $0 }
                return try await store.read(ids, of: schema).map { old[$0.id] ?? $0 }
            }
        }
    }

    /// Applies only some of the removals.
    private static func removing(
        _ name: String, _ isMade: @escaping @Sendable (ReferenceRemoval) -> Bool
    ) -> Mutation {
        Mutation(.deleteRules, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.removals = changes.removals.filter(isMade)
                return try await store.commit(changes)
            }
        }
    }

    /// Also updates each root that a removal affects, possibly to different values.
    private static func updating(
        _ name: String, _ group: LawGroup = .deleteRules,
        _ change: @escaping @Sendable (_ old: StorageObject, _ new: StorageObject) -> StorageObject
    ) -> Mutation {
        Mutation(group, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.updates += try await updates(for: changes, on: store, change)
                return try await store.commit(changes)
            }
        }
    }

    static func updates(
        for changes: ChangeSet, on store: MemoryStore, _ change: (StorageObject, StorageObject) -> StorageObject
    ) async throws(PersistencyError) -> [RootUpdate] {
        let prepared = PreparedRemovals(changes.removals)
        let written = Set(changes.updates.map(\.key) + changes.deletes.map(\.key))
        var updates: [RootUpdate] = []
        for name in prepared.groups.keys {
            guard let schema = store.schemas[name] else { continue }
            for old in try await store.read(ReadRequest(schema)).items {
                guard let new = prepared.applied(to: old), !written.contains(EntityKey(schema, old.id)) else {
                    continue
                }
                let difference = ObjectChanges(from: old, to: change(old, new))
                updates.append(RootUpdate(EntityKey(schema, old.id), expected: old.version, changes: difference))
            }
        }
        return updates
    }
}
