import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Operations that are correct for few objects and defective for many.
    static let size: [Mutation] = [
        parts(of: 50, "commits more than 50 roots in parts") {},
        parts(of: 300, "commits more than 300 roots in parts, and lets others in between") { await Task.yield() },
        parts(of: 1_000, "commits more than 1,000 roots in parts") {},
        Mutation([.commits, .cancellation], "looks after each 256 roots whether it was cancelled") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(changes, partsOf: 256) { () async throws(PersistencyError) in
                    await Task.yield()
                    if Task.isCancelled { throw .cancelled }
                }
            }
        },
        telling("publishes no commits of more than 50 roots") { $0.entries.count > 50 ? nil : $0 },
        telling("publishes no commits of more than 1,000 roots") { $0.entries.count > 1_000 ? nil : $0 },
        telling("tells of 256 roots of a commit at most") {
            CommittedChanges(token: $0.token, id: $0.id, entries: Array($0.entries.prefix(256)))
        },
        telling("tells no owners in commits of more than 300 roots") { commit in
            commit.entries.count > 300 ? commit.mapEntries { $0.without(owner: true) } : commit
        },
        telling("tells that a replaced root is new if a new one follows it") { commit in
            let last = commit.entries.lastIndex { $0.kind == .inserted } ?? 0
            let entries = commit.entries.enumerated().map { place, entry in
                guard place < last, entry.kind == .updated else { return entry }
                return CommittedChange(entry.reference, kind: .inserted, version: entry.version, owner: entry.owner)
            }
            return CommittedChanges(
                token: commit.token, id: commit.id, entries: entries, removals: commit.removals)
        },
        Mutation(.commits, "judges 256 of the versions that were read at most") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.reads = Array(changes.reads.prefix(256))
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "judges the unique values of each 256 roots on their own") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .duplicate = error, changes.inserts.count > 256 else { throw error }
                    return .made
                }
            }
        },
        Mutation(.commits, "reads at most 300 of the existing ids") {
            $0.found = { _, _, objects in Array(objects.prefix(300)) }
        },
        Mutation(.order, "has pages of 1,000 roots at most") {
            $0.request = { request in
                var request = request
                request.limit = min(request.limit ?? 1_000, 1_000)
                return request
            }
        },
        Mutation(.order, "has pages of 5,000 roots at most") {
            $0.request = { request in
                var request = request
                request.limit = min(request.limit ?? 5_000, 5_000)
                return request
            }
        },
        Mutation(.order, "says that a page of more than 1,000 roots is the last") {
            $0.result = { _, result in
                ReadResult(
                    items: result.items, next: result.items.count > 1_000 ? nil : result.next, total: result.total)
            }
        },
        asking("looks for 999 of several values at most") { condition in
            if case .isIn(let operand, let values) = condition {
                .isIn(operand, Set(values.prefix(999)))
            } else {
                condition
            }
        },
        Mutation(.queries, "counts by 1,000 values at most") {
            $0.counts = { counts in
                let some = counts.prefix(1_000).map { ($0.key, $0.value) }
                return Dictionary(some) { first, _ in first }
            }
        },
    ]

    private static func parts(
        of size: Int, _ name: String, between pause: @escaping @Sendable () async -> Void
    ) -> Mutation {
        Mutation([.commits, .concurrency], name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(changes, partsOf: size) { () async throws(PersistencyError) in await pause() }
            }
        }
    }

    /// Changes or drops notifications.
    static func telling(
        _ name: String, in groups: [LawGroup] = [.commits, .changes],
        _ change: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
    ) -> Mutation {
        Mutation(groups, name) {
            $0.changes = { stream in
                let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                Task {
                    for await case .commit(let commit) in stream {
                        if let other = change(commit) { continuation.yield(.commit(other)) }
                    }
                    continuation.finish()
                }
                return told
            }
        }
    }
}

extension MemoryStore {
    /// Splits the commit of a change set with more roots than the given number.
    nonisolated func commit(
        _ changes: ChangeSet, partsOf size: Int, between pause: () async throws(PersistencyError) -> Void
    ) async throws(PersistencyError) -> CommitReceipt {
        guard changes.inserts.count + changes.updates.count + changes.deletes.count > size else {
            return try await commit(changes)
        }
        var (rest, receipt) = (changes, try await commit(ChangeSet(reads: changes.reads)))
        rest.reads = []
        while !rest.isEmpty {
            var part = ChangeSet(inserts: Array(rest.inserts.prefix(size)))
            part.updates = Array(rest.updates.prefix(size - part.inserts.count))
            part.deletes = Array(rest.deletes.prefix(size - part.inserts.count - part.updates.count))
            rest.inserts.removeFirst(part.inserts.count)
            rest.updates.removeFirst(part.updates.count)
            rest.deletes.removeFirst(part.deletes.count)
            receipt = try await commit(part)
            if !rest.isEmpty { try await pause() }
        }
        return receipt
    }
}

extension CommittedChanges {
    func mapEntries(_ transform: (CommittedChange) -> CommittedChange) -> CommittedChanges {
        CommittedChanges(token: token, id: id, entries: entries.map(transform))
    }
}

extension CommittedChange {
    func without(owner isWithout: Bool) -> CommittedChange {
        CommittedChange(reference, kind: kind, version: version, owner: isWithout ? nil : owner)
    }
}
