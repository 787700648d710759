import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
import Synchronization
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects that only show under concurrency and can look correct to each client.
    static let histories: [Mutation] =
        (bulk + writing + timing).filter { known.contains($0.name) } + [
            Mutation(.transactions, "is slow, and does not judge roots that were only read") {
                $0.commit = { (changes, store) async throws(PersistencyError) in
                    for _ in 0..<20 { await Task.yield() }
                    var changes = changes
                    changes.reads = []
                    return try await store.commit(changes)
                }
            },
            Mutation(.concurrency, "reads an earlier state") { mutation in
                let earlier = Mutex<[RawID: StorageObject]>([:])
                mutation.object = { object in
                    earlier.withLock { earlier in
                        defer { earlier[object.id] = object }
                        return object.version.isMultiple(of: 3) ? earlier[object.id] ?? object : object
                    }
                }
            },
            Mutation(.conflicts, "says that there was a conflict, and writes all the same") {
                $0.commit = { (changes, store) async throws(PersistencyError) in
                    do throws(PersistencyError) {
                        return try await store.commit(changes)
                    } catch {
                        if case .conflict = error {
                            _ = try await store.commit(try await store.expectingWhatIs(changes))
                        }
                        throw error
                    }
                }
            },
            Mutation(.conflicts, "names a version in a conflict that never was") {
                $0.commit = { (changes, store) async throws(PersistencyError) in
                    do throws(PersistencyError) {
                        return try await store.commit(changes)
                    } catch {
                        guard case .conflict(let conflict) = error, let found = conflict.found else { throw error }
                        throw .conflict(
                            Conflict(conflict.reference, expected: conflict.expected, found: found + 1000))
                    }
                }
            },
            Mutation(.commits, "forgets every fiftieth update that it acknowledged") { mutation in
                let count = Mutex(0)
                mutation.commit = { (changes, store) async throws(PersistencyError) in
                    let number = count.withLock { count in
                        count += changes.updates.count
                        return count
                    }
                    guard let update = changes.updates.first, number.isMultiple(of: 50) else {
                        return try await store.commit(changes)
                    }
                    // Faults are reported as usual, so that only acknowledged commits are lost.
                    let reads = [RootExpectation(update.key, version: update.expected)] + changes.reads
                    return try await store.commit(ChangeSet(reads: reads))
                }
            },
        ]

    private static let known: Set = [
        "reads for an update by query, lets others in, and writes then",
        "ignores the versions that updates and deletions expect", "judges, lets others in, and writes then",
        "commits root by root, so that half a change set can stay",
    ]
}
