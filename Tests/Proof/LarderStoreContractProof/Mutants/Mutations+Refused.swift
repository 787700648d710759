import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Stores that show refused change sets, and stores that lose references.
    static let refused: [Mutation] = [
        showing("shows refused inserts to reads by ids") { mutation, shown in
            mutation.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                let inserts = shown.change { $0 }?.inserts ?? []
                let more = inserts.filter { $0.schema.name == schema.name && ids.contains($0.id) }
                return try await store.read(ids, of: schema) + more
            }
        },
        showing("shows refused updates and deletions to reads by condition") { mutation, shown in
            mutation.answer = { (request, store) async throws(PersistencyError) in
                let changes = shown.change { $0 }
                let gone = Set(changes?.deletes.map(\.key.id) ?? [])
                let all = try await store.read(ReadRequest(request.schema)).items.filter { !gone.contains($0.id) }
                let changed = all.map { old in
                    changes?.updates.first { $0.key.id == old.id }.map { old.applying($0.changes) } ?? old
                }
                return request.answer(from: changed)
            }
        },
        Mutation(.uniqueness, "names the columns of a unique group in the order of the schema") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .duplicate(let duplicate) = error, let schema = store.schemas[duplicate.entity] else {
                        throw error
                    }
                    let columns = duplicate.columns.sorted {
                        schema.index(ofColumn: $0) ?? 0 < schema.index(ofColumn: $1) ?? 0
                    }
                    throw .duplicate(
                        Duplicate(entity: duplicate.entity, columns: columns, existing: duplicate.existing))
                }
            }
        },
        Mutation(.deleteRules, "forgets a root's references to a target when it gives up one of them") { mutation in
            let forgotten = Kept<Set<RawID>>([])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                for update in changes.updates {
                    guard let old = try await store.read([update.key.id], of: update.key.schema).first else { continue }
                    let (before, after) = (old.referred, old.applying(update.changes).referred)
                    let given = before.filter { id, count in count > after[id] ?? 0 && after[id] != nil }
                    _ = forgotten.change { $0.union(given.keys) }
                }
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .dangling(let dangling) = error, forgotten.change({ $0 }).contains(dangling.id) else {
                        throw error
                    }
                    return .made
                }
            }
        },
    ]

    /// A store that keeps a refused change set for a while, visible to reads.
    private static func showing(
        _ name: String, _ change: @escaping @Sendable (inout Mutation, Kept<ChangeSet?>) -> Void
    ) -> Mutation {
        Mutation(.concurrency, name) { mutation in
            let shown = Kept<ChangeSet?>(nil)
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    switch error {
                    case .duplicate, .dangling:
                        _ = shown.exchange(changes)
                        for _ in 0..<4 { await Task.yield() }
                        _ = shown.exchange(nil)
                    default: break
                    }
                    throw error
                }
            }
            change(&mutation, shown)
        }
    }
}

extension StorageObject {
    /// The number of references from the object and its owned objects to each id.
    fileprivate var referred: [RawID: Int] {
        var counts: [RawID: Int] = [:]
        for (column, value) in zip(schema.columns, values) where column.reference != nil {
            if case .id(let id) = value { counts[id, default: 0] += 1 }
        }
        for id in links.joined() { counts[id, default: 0] += 1 }
        for child in children.joined() { counts.merge(child.referred, uniquingKeysWith: +) }
        return counts
    }
}
