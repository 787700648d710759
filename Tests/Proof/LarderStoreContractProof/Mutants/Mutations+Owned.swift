import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in owned objects and in groups of unique columns.
    static let owned: [Mutation] = [
        forgiving("ignores references of owned objects to a deleted root") { error, changes in
            guard case .dangling(let dangling) = error, dangling.isInOwned else { return false }
            return changes.deletes.contains { $0.key.id == dangling.id }
        },
        forgiving("does not judge references of owned objects") { error, _ in
            guard case .dangling(let dangling) = error else { return false }
            return dangling.isInOwned && dangling.column.hasSuffix("_id") && dangling.entity != "note"
        },
        forgiving("does not judge links of owned objects") { error, _ in
            guard case .dangling(let dangling) = error else { return false }
            return dangling.isInOwned && !dangling.column.hasSuffix("_id")
        },
        forgiving("does not judge references of the second list of owned objects") { error, _ in
            guard case .dangling(let dangling) = error else { return false }
            return ["advert", "figure"].contains(dangling.entity)
        },
        forgiving("does not judge the ids of owned objects in second lists") { error, _ in
            guard case .duplicate(let duplicate) = error else { return false }
            return duplicate.columns == ["id"] && ["advert", "figure"].contains(duplicate.entity)
        },
        forgiving("does not judge the ids of nested owned objects") { error, _ in
            guard case .duplicate(let duplicate) = error else { return false }
            return duplicate.columns == ["id"] && ["footnote", "figure", "note"].contains(duplicate.entity)
        },
        forgiving("accepts an id of an owned object twice below two parents of a new root") { error, changes in
            guard case .duplicate(let duplicate) = error, duplicate.columns == ["id"] else { return false }
            return changes.inserts.contains { $0.hasNested(duplicate.existing, times: 2) }
        },
        Mutation(.commits, "accepts a second owned object with the id of one below another parent of its root") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .duplicate(let duplicate) = error, duplicate.columns == ["id"] else { throw error }
                    for update in changes.updates {
                        let root = try await store.read(update.key.id, of: update.key.schema)
                        if let root, root.hasNested(duplicate.existing, times: 1) { return .made }
                    }
                    throw error
                }
            }
        },
        forgiving("judges columns that are unique together where the first of them changes", [.uniqueness]) {
            error, changes in
            guard case .duplicate(let duplicate) = error, duplicate.columns.count > 1, changes.inserts.isEmpty else {
                return false
            }
            return !changes.updates.contains { update in
                let first = update.key.schema.index(ofColumn: duplicate.columns[0])
                return update.changes.columns.contains { $0.column == first }
            }
        },
        forgiving("judges the first group of unique columns alone where there are several") { error, _ in
            guard case .duplicate(let duplicate) = error else { return false }
            return duplicate.columns == ["issue", "year"] || duplicate.columns == ["seal"]
        },
        comparing("takes texts that are unique together for equal in any case") { $0.map(\.folded) },
        comparing("compares columns that are unique together as one text", [.uniqueness]) { values in
            [.text(values.map(\.joinable).joined())]
        },
        comparing("compares columns that are unique together as one text with commas", [.uniqueness]) { values in
            [.text(values.map(\.joinable).joined(separator: ","))]
        },
        childChanging("omits the changes of an owned object that also moved") { change, _ in
            guard case .update(let position?, let changes) = change.kind, !changes.isEmpty else { return change }
            return ChildChange(
                relationship: change.relationship, id: change.id, kind: .update(position: position, ObjectChanges()))
        },
        childChanging("does not move an owned object that also changed") { change, _ in
            guard case .update(.some, let changes) = change.kind, !changes.isEmpty else { return change }
            return ChildChange(relationship: change.relationship, id: change.id, kind: .update(position: nil, changes))
        },
        childChanging("does not move owned objects in second lists") { change, _ in
            guard case .update(.some, let changes) = change.kind, change.relationship == 1 else { return change }
            return ChildChange(relationship: change.relationship, id: change.id, kind: .update(position: nil, changes))
        },
        childChanging("does not change links of owned objects") { change, _ in
            guard case .update(let position, var changes) = change.kind else { return change }
            changes.links = []
            return ChildChange(
                relationship: change.relationship, id: change.id, kind: .update(position: position, changes))
        },
        childChanging("stores nothing in second lists of nested owned objects") { change, depth in
            guard depth > 0, change.relationship == 1, case .insert = change.kind else { return change }
            return ChildChange(relationship: change.relationship, id: change.id, kind: .delete)
        },
        Mutation(.commits, "keeps 300 owned objects of a list") {
            $0.object = { $0.mapChildren { Array($0.prefix(300)) } }
        },
    ]

    /// Claims to have stored some change sets that it has to refuse.
    private static func forgiving(
        _ name: String, _ groups: [LawGroup] = [.commits],
        _ forgives: @escaping @Sendable (PersistencyError, ChangeSet) -> Bool
    ) -> Mutation {
        Mutation(groups, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard forgives(error, changes) else { throw error }
                    return .made
                }
            }
        }
    }

    /// Treats inserted unique values as duplicates if a function of them is equal.
    private static func comparing(
        _ name: String, _ groups: [LawGroup] = [.commits, .uniqueness],
        by key: @escaping @Sendable ([Value]) -> [Value]
    ) -> Mutation {
        Mutation(groups, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for object in changes.inserts {
                    for group in object.schema.uniques where group.count > 1 {
                        let values = group.map { object.values[$0] }
                        if values.contains(.null) { continue }
                        let others = try await store.read(ReadRequest(object.schema)).items
                        let twin = others.first { other in
                            let taken = group.map { other.values[$0] }
                            return !taken.contains(.null) && key(taken) == key(values)
                        }
                        guard let twin else { continue }
                        let columns = group.map { object.schema.columns[$0].name }
                        throw .duplicate(Duplicate(entity: object.schema.name, columns: columns, existing: twin.id))
                    }
                }
                return try await store.commit(changes)
            }
        }
    }

    /// Applies different changes to owned objects; the depth is 0 for those of roots.
    private static func childChanging(
        _ name: String, _ change: @escaping @Sendable (ChildChange, _ depth: Int) -> ChildChange
    ) -> Mutation {
        Mutation(.commits, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.updates = changes.updates.map { update in
                    let inner = update.changes.mapChildren(depth: 0, change)
                    return RootUpdate(update.key, expected: update.expected, changes: inner, owner: update.owner)
                }
                return try await store.commit(changes)
            }
        }
    }
}

extension ObjectChanges {
    fileprivate func mapChildren(depth: Int, _ change: (ChildChange, Int) -> ChildChange) -> ObjectChanges {
        var changes = self
        changes.children = children.map { child in
            guard case .update(let position, let inner) = child.kind else { return change(child, depth) }
            let mapped = inner.mapChildren(depth: depth + 1, change)
            return change(
                ChildChange(relationship: child.relationship, id: child.id, kind: .update(position: position, mapped)),
                depth)
        }
        return changes
    }
}

extension StorageObject {
    /// Whether as many owned objects contain an object with an id, each once.
    fileprivate func hasNested(_ id: RawID, times: Int) -> Bool {
        let counts = children.joined().map { $0.children.joined().count { $0.id == id } }
        return counts.reduce(0, +) == times && counts.allSatisfy { $0 <= 1 }
    }
}

extension Dangling {
    fileprivate var isInOwned: Bool { ["article", "advert", "footnote", "figure", "note", "plate"].contains(entity) }
}

extension Value {
    fileprivate var joinable: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: "\(self)"
        }
    }

    fileprivate var folded: Value { if case .text(let text) = self { .text(text.lowercased()) } else { self } }
}
