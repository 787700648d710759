import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Change sets that are accepted and should be refused, and the reverse.
    static let passing: [Mutation] = [
        passing([.commits, .deleteRules], "seeks referrers of the first 100 deletions") { error, changes, _ in
            guard case .dangling(let dangling) = error else { return false }
            return changes.deletes.dropFirst(100).contains { $0.key.id == dangling.id }
        },
        passing([.deleteRules], "knows the last of each list of links only") { error, _, store in
            guard case .dangling(let dangling) = error else { return false }
            return await !store.referredLast.contains(dangling.id)
        },
        passing([.commits], "compares no values that one change set inserts and updates") { error, changes, _ in
            guard case .duplicate(let duplicate) = error, duplicate.columns != ["id"] else { return false }
            return (changes.inserts.map(\.id) + changes.updates.map(\.key.id)).contains(duplicate.existing)
        },
        passing([.commits], "takes the deletion of a missing root for a repetition") { error, changes, _ in
            guard case .conflict(let conflict) = error, conflict.found == nil else { return false }
            return changes.deletes.contains { $0.key.reference == conflict.reference }
        },
        passing([.commits], "takes version 0 for absence") { error, _, _ in
            guard case .conflict(let conflict) = error else { return false }
            return conflict.expected == 0 && conflict.found == nil
        },
        passing([.concurrency], "judges ids of owned objects, lets others in, and writes then") { error, _, store in
            guard case .duplicate(let duplicate) = error else { return false }
            return duplicate.columns == ["id"] && !store.schemas.roots.contains { $0.name == duplicate.entity }
        } early: { (changes, store) async throws(PersistencyError) in
            for object in changes.inserts {
                let taken = Set(await store.all(object.schema).flatMap { $0.children.joined().map(\.id) })
                for child in object.children.joined() where taken.contains(child.id) {
                    throw .duplicate(Duplicate(entity: child.schema.name, columns: ["id"], existing: child.id))
                }
            }
        },
        passing([.concurrency], "lets an update win over a deletion that comes in between") { error, changes, _ in
            guard case .conflict(let conflict) = error else { return false }
            return conflict.found == nil && changes.updates.contains { $0.key.reference == conflict.reference }
        } early: { (changes, store) async throws(PersistencyError) in
            for update in changes.updates {
                let found = try await store.read([update.key.id], of: update.key.schema).first?.version
                if found == update.expected { continue }
                throw .conflict(Conflict(update.key.reference, expected: update.expected, found: found))
            }
        },
        Mutation(.uniqueness, "takes all characters beyond the first plane for one") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for object in changes.inserts {
                    guard case .text(let text) = object.values[0], object.schema.uniques.contains([0]) else { continue }
                    let other = await store.all(object.schema).first {
                        $0.id != object.id && $0.values[0].looksLike(text)
                    }
                    guard let other else { continue }
                    throw .duplicate(Duplicate(entity: object.schema.name, columns: ["name"], existing: other.id))
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.cancellation, "keeps the ids that a cancelled commit took") { mutation in
            let taken = Kept<Set<RawID>>([])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let ids = changes.inserts.map(\.id)
                if let id = ids.first(where: { taken.change { $0 }.contains($0) }) {
                    throw .duplicate(Duplicate(entity: changes.inserts[0].schema.name, columns: ["id"], existing: id))
                }
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    if case .cancelled = error { _ = taken.change { $0.union(ids) } }
                    throw error
                }
            }
        },
    ]

    /// Reports success for a change set that is refused with some errors; `early` refuses before other calls can run.
    private static func passing(
        _ groups: [LawGroup], _ name: String,
        _ passes: @escaping @Sendable (PersistencyError, ChangeSet, MemoryStore) async -> Bool,
        early: @escaping @Sendable (ChangeSet, MemoryStore) async throws(PersistencyError) -> Void = { _, _ in }
    ) -> Mutation {
        Mutation(groups, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await early(changes, store)
                if groups == [.concurrency] { for _ in 0..<50 { await Task.yield() } }
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard await passes(error, changes, store) else { throw error }
                    return .made
                }
            }
        }
    }
}

extension MemoryStore {
    /// All roots of a schema.
    nonisolated func all(_ schema: EntitySchema) async -> [StorageObject] {
        (try? await read(ReadRequest(schema)).items) ?? []
    }

    /// The ids in columns, and the last id of each list of links, of roots and of their owned objects.
    fileprivate nonisolated var referredLast: Set<RawID> {
        get async {
            func references(_ object: StorageObject) -> [RawID] {
                let ids = object.values.compactMap { if case .id(let id) = $0 { id } else { nil } }
                return ids + object.links.compactMap(\.last) + object.children.joined().flatMap(references)
            }
            var ids: Set<RawID> = []
            for schema in schemas.roots { ids.formUnion(await all(schema).flatMap(references)) }
            return ids
        }
    }
}

extension Value {
    fileprivate func looksLike(_ text: String) -> Bool {
        guard case .text(let other) = self, other != text else { return false }
        let plain = { (text: String) in text.unicodeScalars.map { $0.value > 0xFFFF ? "?" : $0 } }
        return plain(other) == plain(text)
    }
}
