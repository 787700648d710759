import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in roots with two lists of owned objects, in replaced roots, and in given versions.
    static let lists: [Mutation] = [
        Mutation(.graph, "omits second lists of owned objects where the first is empty") {
            $0.object = { $0.mapSecondList { root, list in root.children[0].isEmpty ? [] : list } }
        },
        Mutation(.graph, "returns second lists of owned objects in the order of ids, on pages") {
            $0.result = { _, result in
                let items = result.items.map { $0.mapSecondList { _, list in list.sorted { $0.id < $1.id } } }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.graph, "returns nested second lists of the first owned object alone") {
            $0.object = { root in
                var root = root
                for list in root.children.indices {
                    for index in root.children[list].indices.dropFirst() {
                        root.children[list][index] = root.children[list][index].mapSecondList { _, _ in [] }
                    }
                }
                return root
            }
        },
        Mutation(.graph, "exchanges second lists of owned objects of roots that are read together") {
            $0.found = { _, _, objects in
                objects.indices.map { index in
                    objects[index].mapSecondList { _, _ in objects[(index + 1) % objects.count].children[1] }
                }
            }
        },
        Mutation(.graph, "counts by the first list of owned objects, whichever is asked for") {
            $0.tally = { (request, store) async throws(PersistencyError) in
                guard case .childCount = request.key else { return try await store.counts(request) }
                return try await store.counts(
                    CountRequest(request.schema, where: request.condition, by: .childCount(0)))
            }
        },
        Mutation(.graph, "lends at once a root without its second list of owned objects") { mutation in
            let stored = mutation.remember()
            mutation.lookUpAtOnce = { id in
                stored.change { $0 }[id].map { [$0.mapSecondList { _, _ in [] }] } ?? []
            }
        },
        Mutation(.graph, "reverses second lists of owned objects when first ones change") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for (index, update) in changes.updates.enumerated() where update.changes.children.touch(only: 0) {
                    guard let old = try await store.read(update.key.id, of: update.key.schema) else { continue }
                    var inner = update.changes
                    inner.children += ObjectChanges(from: old, to: old.mapSecondList { $1.reversed() }).children
                    changes.updates[index] = RootUpdate(
                        update.key, expected: update.expected, changes: inner, owner: update.owner)
                }
                return try await store.commit(changes)
            }
        },
        replacing("keeps the owned objects that a replacement lacks") { old, new in
            var new = new
            for list in new.children.indices {
                let ids = Set(new.children[list].map(\.id))
                new.children[list] += old.children[list].filter { !ids.contains($0.id) }
            }
            return new
        },
        replacing("keeps the nested owned objects that a replacement lacks") { old, new in
            var new = new
            for list in new.children.indices {
                for (index, object) in new.children[list].enumerated() {
                    guard let before = old.children[list].first(where: { $0.id == object.id }) else { continue }
                    new.children[list][index].children = before.children
                }
            }
            return new
        },
        replacing("keeps the values that a replacement sets to null") { old, new in
            var new = new
            new.values = zip(old.values, new.values).map { $1 == .null ? $0 : $1 }
            return new
        },
        replacing("keeps the links that a replacement lacks") { old, new in
            var new = new
            new.links = zip(old.links, new.links).map { $1.isEmpty ? $0 : $1 }
            return new
        },
        replacing("keeps the tail of lists of more than 64 links or owned objects that a replacement shortens") {
            $1.withTails(of: $0, from: 65)
        },
        replacing("keeps the tail of lists of links that a replacement shortens, in nested objects") { old, new in
            var new = new
            for list in new.children.indices {
                for index in new.children[list].indices {
                    let before = old.children[list].first { $0.id == new.children[list][index].id }
                    let olds = (before?.children ?? []).flatMap(\.self)
                    new.children[list][index] = new.children[list][index].mapChildren { children in
                        children.map { child in
                            olds.first { $0.id == child.id }.map { child.withTails(of: $0, from: 1) } ?? child
                        }
                    }
                }
            }
            return new
        },
        Mutation(.commits, "reserves the unique values of replaced roots") { mutation in
            let reserved = Kept<[RawID: Value]>([:])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                for insert in changes.inserts where insert.schema.name == "magazine" && insert.values[6] != .null {
                    guard let old = reserved.change({ $0 }).first(where: { $0.value == insert.values[6] }) else {
                        continue
                    }
                    if old.key == insert.id { continue }
                    throw .duplicate(Duplicate(entity: "magazine", columns: ["seal"], existing: old.key))
                }
                for key in changes.replacedRoots where key.schema.name == "magazine" {
                    guard let old = try await store.read(key.id, of: key.schema) else { continue }
                    if old.values[6] == .null { continue }
                    _ = reserved.change { $0.merging([key.id: old.values[6]]) { $1 } }
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "reads versions as numbers with 53 bits") {
            $0.object = { $0.with(version: Int64(Double($0.version))) }
        },
        Mutation(.commits, "reads versions as numbers with 32 bits") {
            $0.object = { $0.with(version: Int64(Int32(truncatingIfNeeded: $0.version))) }
        },
        judging("compares the versions that updates expect as numbers with 32 bits") { changes, found in
            changes.updates = changes.updates.map { update in
                RootUpdate(
                    update.key, expected: found(update.key, update.expected), changes: update.changes,
                    owner: update.owner)
            }
        },
        judging("compares the versions of deletions and reads as numbers with 32 bits") { changes, found in
            func same(_ root: RootExpectation) -> RootExpectation {
                RootExpectation(root.key, version: root.version.map { found(root.key, $0) }, owner: root.owner)
            }
            (changes.deletes, changes.reads) = (changes.deletes.map(same), changes.reads.map(same))
        },
        Mutation(.commits, "restores roots at any positive version") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for index in changes.inserts.indices where changes.keepsVersions && changes.inserts[index].version > 0 {
                    changes.inserts[index].version = min(changes.inserts[index].version, 1 << 62)
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "takes the greatest version for any") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for (index, update) in changes.updates.enumerated() where update.expected == .max {
                    let found = try await store.read(update.key.id, of: update.key.schema)?.version ?? .max
                    changes.updates[index] = RootUpdate(update.key, expected: found, changes: update.changes)
                }
                return try await store.commit(changes)
            }
        },
    ]

    /// Expects the stored version of a root if the expected one equals it as a number with 32 bits.
    private static func judging(
        _ name: String,
        _ change: @escaping @Sendable (inout ChangeSet, _ found: (EntityKey, _ expected: Int64) -> Int64) -> Void
    ) -> Mutation {
        Mutation(.commits, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var (changes, versions): (ChangeSet, [EntityKey: Int64]) = (changes, [:])
                for key in changes.updates.map(\.key) + (changes.deletes + changes.reads).map(\.key)
                where store.schemas[key.schema.name] != nil {
                    versions[key] = try await store.read(key.id, of: key.schema)?.version
                }
                change(&changes) { key, expected in
                    guard let found = versions[key] else { return expected }
                    return Int32(truncatingIfNeeded: found) == Int32(truncatingIfNeeded: expected) ? found : expected
                }
                return try await store.commit(changes)
            }
        }
    }

    /// Replaces roots by others than those of the change set.
    private static func replacing(
        _ name: String, _ change: @escaping @Sendable (_ old: StorageObject, _ new: StorageObject) -> StorageObject
    ) -> Mutation {
        Mutation(.commits, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                let replaced = changes.replacedRoots
                for (index, new) in changes.inserts.enumerated() where replaced.contains(new.key) {
                    guard let old = try await store.read(new.id, of: new.schema) else { continue }
                    changes.inserts[index] = change(old, new)
                }
                return try await store.commit(changes)
            }
        }
    }

    /// Keeps a copy of each root that is inserted or updated, for reads that cannot wait for the store.
    mutating func remember() -> Kept<[RawID: StorageObject]> {
        let stored = Kept<[RawID: StorageObject]>([:])
        commit = { (changes, store) async throws(PersistencyError) in
            let receipt = try await store.commit(changes)
            for key in changes.inserts.map(\.key) + changes.updates.map(\.key) {
                guard let root = try await store.read(key.id, of: key.schema) else { continue }
                _ = stored.change { $0.merging([key.id: root]) { $1 } }
            }
            return receipt
        }
        return stored
    }
}

extension StorageObject {
    /// The object with its second list of owned objects changed, if it has one.
    fileprivate func mapSecondList(
        _ transform: (StorageObject, [StorageObject]) -> [StorageObject]
    ) -> StorageObject {
        guard children.count > 1 else { return self }
        var object = self
        object.children[1] = transform(self, children[1])
        return object
    }

    /// The object with what follows the ends of its lists in another one, for lists with at least a number of elements.
    fileprivate func withTails(of old: StorageObject, from count: Int) -> StorageObject {
        var object = self
        object.links = zip(links, old.links).map { new, old in
            old.count < count || old.count <= new.count ? new : new + old[new.count...]
        }
        object.children = zip(children, old.children).map { new, old in
            if old.count < count || old.count <= new.count { return new }
            let kept = Set(new.map(\.id))
            return new + old[new.count...].filter { !kept.contains($0.id) }
        }
        return object
    }

    fileprivate func with(version: Int64) -> StorageObject {
        var object = self
        object.version = version
        return object
    }
}

extension [ChildChange] {
    /// Whether there are changes, all in one list.
    fileprivate func touch(only list: Int) -> Bool { !isEmpty && allSatisfy { $0.relationship == list } }
}
