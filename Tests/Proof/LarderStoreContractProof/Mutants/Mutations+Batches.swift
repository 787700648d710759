import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    static let batches: [Mutation] = [
        Mutation(.lifecycle, "commits new roots one by one") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                guard changes.inserts.count > 1 else { return try await store.commit(changes) }
                var rest = changes
                for object in changes.inserts.dropLast() { _ = try await store.commit(ChangeSet(inserts: [object])) }
                rest.inserts.removeFirst(changes.inserts.count - 1)
                return try await store.commit(rest)
            }
        },
        Mutation(.lifecycle, "keeps the new roots that precede one that is taken") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .duplicate = error else { throw error }
                    for object in changes.inserts { _ = try await store.commit(ChangeSet(inserts: [object])) }
                    throw error
                }
            }
        },
        Mutation(.lifecycle, "commits new roots before it commits changes") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                guard !changes.inserts.isEmpty, !changes.updates.isEmpty else { return try await store.commit(changes) }
                var rest = changes
                rest.inserts = []
                _ = try await store.commit(ChangeSet(inserts: changes.inserts))
                return try await store.commit(rest)
            }
        },
    ]
}
