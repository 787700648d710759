import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    static let timing: [Mutation] = [
        Mutation(
            [.transactions, .commits, .graph, .deleteRules], "commits root by root, so that half a change set can stay"
        ) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commitOneByOne(changes) {}
            }
        },
        Mutation([.transactions, .concurrency], "does not judge roots that a transaction only read") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.reads = []
                return try await store.commit(changes)
            }
        },
        Mutation(.concurrency, "judges, lets others in, and writes then") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for update in changes.updates {
                    let found = try await store.read([update.key.id], of: update.key.schema).first?.version
                    guard found == update.expected else {
                        throw .conflict(Conflict(update.key.reference, expected: update.expected, found: found))
                    }
                }
                for _ in 0..<50 { await Task.yield() }
                return try await store.commit(try await store.expectingWhatIs(changes))
            }
        },
        Mutation(.concurrency, "shows half a change set") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commitOneByOne(changes) { for _ in 0..<5 { await Task.yield() } }
            }
        },
        Mutation(.concurrency, "takes its time to insert, and stores references that name nothing as missing") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try? await Task.sleep(for: .milliseconds(changes.inserts.isEmpty ? 0 : 5))
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .dangling(let dangling) = error else { throw error }
                    var changes = changes
                    changes.inserts = changes.inserts.map { $0.replacing(.id(dangling.id), with: .null) }
                    return try await store.commit(changes)
                }
            }
        },
        Mutation(.changes, "tells of commits before they are stored, and so of failed ones") { mutation in
            let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
            mutation.changes = { stream in
                Task {
                    for await _ in stream {}
                    continuation.finish()
                }
                return told
            }
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let last = try await store.commit(ChangeSet()).token
                let next = ChangeToken(lifetime: last.lifetime, position: last.position + 1)
                continuation.yield(.commit(CommittedChanges(token: next, of: changes)))
                return try await store.commit(changes)
            }
        },
        Mutation(.cancellation, "does not look whether it was cancelled") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commitHeedless(changes)
            }
        },
        Mutation(.cancellation, "does not look whether a commit of more than 256 roots was cancelled") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                let count = changes.inserts.count + changes.updates.count + changes.deletes.count
                return count > 256 ? try await store.commitHeedless(changes) : try await store.commit(changes)
            }
        },
        Mutation(.cancellation, "does not look whether a commit with removals was cancelled") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                if changes.removals.isEmpty { return try await store.commit(changes) }
                return try await store.commitHeedless(changes)
            }
        },
        Mutation(.cancellation, "says that it was cancelled after it committed") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                let receipt = try await store.commitHeedless(changes)
                if Task.isCancelled { throw .cancelled }
                return receipt
            }
        },
    ]
}

extension MemoryStore {
    /// Commits each root of a change set separately.
    fileprivate nonisolated func commitOneByOne(
        _ changes: ChangeSet, between pause: () async -> Void
    ) async throws(PersistencyError) -> CommitReceipt {
        var parts = changes.inserts.map { ChangeSet(inserts: [$0]) }
        parts += changes.updates.map { ChangeSet(updates: [$0]) }
        parts += changes.deletes.map { ChangeSet(deletes: [$0]) }
        var receipt = try await commit(ChangeSet(reads: changes.reads))
        for part in parts {
            receipt = try await commit(part)
            await pause()
        }
        return receipt
    }

    /// Commits in a task that is never cancelled.
    fileprivate nonisolated func commitHeedless(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let result = await Task { () async -> Result<CommitReceipt, PersistencyError> in
            do throws(PersistencyError) {
                return .success(try await commit(changes))
            } catch {
                return .failure(error)
            }
        }.value
        return try result.get()
    }
}

extension StorageObject {
    fileprivate func replacing(_ value: Value, with other: Value) -> StorageObject {
        var object = self
        object.values = values.map { $0 == value ? other : $0 }
        return object
    }
}
