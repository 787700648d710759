import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in the order and the ids of events, in outcomes, in tokens of later commits, and in removals.
    static let arrivals: [Mutation] = [
        Mutation(.changes, "delivers the commits that an observer has not read in the order of versions") {
            $0.changes = { stream in
                forwarding(stream) { events, continuation in
                    var (waiting, number): ([(Int64, Int, ChangeEvent)], Int) = ([], 0)
                    for await event in events {
                        var version: Int64 = 0
                        if case .commit(let commit) = event { version = commit.entries.first?.version ?? 0 }
                        waiting.append((version, number, event))
                        number += 1
                    }
                    for event in waiting.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) { continuation.yield(event.2) }
                }
            }
        },
        telling("gives live commits other ids") {
            CommittedChanges(token: $0.token, id: CommitID(), entries: $0.entries, removals: $0.removals)
        },
        telling("publishes the ids of commits that insert alone") { commit in
            if commit.entries.contains(where: { $0.kind == .inserted }) { return commit }
            return CommittedChanges(
                token: commit.token, id: CommitID(), entries: commit.entries, removals: commit.removals)
        },
        telling("publishes no commit that only removes references") { $0.entries.isEmpty ? nil : $0 },
        Mutation(.changes, "begins a stream with the last commit") { mutation in
            let last = Kept<CommittedChanges?>(nil)
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let receipt = try await store.commit(changes)
                _ = last.exchange(CommittedChanges(token: receipt.token, of: changes))
                return receipt
            }
            mutation.changes = { stream in
                let last = last.change { $0 }
                return forwarding(stream) { events, continuation in
                    if let last { continuation.yield(.commit(last)) }
                    for await event in events { continuation.yield(event) }
                }
            }
        },
        Mutation(.changes, "tells an observer twice of the commit during which it began") { mutation in
            let running = Kept(0)
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                _ = running.change { $0 + 1 }
                await Task.yield()
                defer { _ = running.change { $0 - 1 } }
                return try await store.commit(changes)
            }
            mutation.changes = { stream in
                guard running.change({ $0 }) > 0 else { return stream }
                return forwarding(stream) { events, continuation in
                    var isFirst = true
                    for await event in events {
                        continuation.yield(event)
                        if isFirst { continuation.yield(event) }
                        isFirst = false
                    }
                }
            }
        },
        Mutation(.commits, "takes a running commit for absent") { mutation in
            let running = Kept<Set<CommitID>>([])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                _ = running.change { $0.union([changes.id]) }
                for _ in 0..<3 { await Task.yield() }
                defer { _ = running.change { $0.subtracting([changes.id]) } }
                return try await store.commit(changes)
            }
            mutation.outcomeOf = { id, outcome in running.change { $0 }.contains(id) ? .absent : outcome }
        },
        forgetting("does not know the outcome of a commit that only deletes", .unknown) {
            !$0.deletes.isEmpty && $0.inserts.isEmpty && $0.updates.isEmpty && $0.removals.isEmpty
        },
        forgetting("takes a commit that only removes references for absent", .absent) {
            !$0.removals.isEmpty && $0.inserts.isEmpty && $0.updates.isEmpty && $0.deletes.isEmpty
        },
        forgetting("does not know the outcome of a refused deletion", .unknown) {
            !$0.deletes.isEmpty && $0.deletes.contains { $0.version == 7 }
        },
        ahead("finds nothing for a token of a later commit") { (_, _) throws(PersistencyError) in
            ReadResult(items: [])
        },
        ahead("refuses a token of a later commit") { (_, _) throws(PersistencyError) in
            throw .unsupportedQuery("a token of a later commit")
        },
        Mutation(.changes, "delivers the commits after a token alone, also of a later one") { mutation in
            let token = Kept<ChangeToken?>(nil)
            mutation.token = { new in
                _ = token.exchange(new)
                return new
            }
            mutation.changes = { stream in
                guard let start = token.exchange(nil) else { return stream }
                return forwarding(stream) { events, continuation in
                    for await event in events {
                        let isLater = event.token.position > start.position || event.token.lifetime != start.lifetime
                        if isLater { continuation.yield(event) }
                    }
                }
            }
        },
        Mutation(.concurrency, "removes references from half of the roots first") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                let updates = try await updates(for: changes, on: store) { $1 }
                if updates.count > 100 {
                    _ = try await store.commit(ChangeSet(updates: Array(updates.prefix(updates.count / 2))))
                    for _ in 0..<4 { await Task.yield() }
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.concurrency, "inserts before it removes references") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                guard !changes.removals.isEmpty, !changes.inserts.isEmpty else {
                    return try await store.commit(changes)
                }
                _ = try await store.commit(ChangeSet(inserts: changes.inserts))
                for _ in 0..<4 { await Task.yield() }
                var rest = changes
                rest.inserts = []
                return try await store.commit(rest)
            }
        },
    ]

    /// Answers differently about the outcomes of some commits.
    private static func forgetting(
        _ name: String, _ outcome: CommitOutcome, _ isForgotten: @escaping @Sendable (ChangeSet) -> Bool
    ) -> Mutation {
        Mutation(.commits, name) { mutation in
            let forgotten = Kept<Set<CommitID>>([])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                if isForgotten(changes) { _ = forgotten.change { $0.union([changes.id]) } }
                return try await store.commit(changes)
            }
            mutation.outcomeOf = { id, known in forgotten.change { $0 }.contains(id) ? outcome : known }
        }
    }

    /// Answers differently to queries with a token of a later commit than the last.
    private static func ahead(
        _ name: String,
        _ answer:
            @escaping @Sendable (ReadRequest, MemoryStore) async throws(PersistencyError) ->
            ReadResult<StorageObject>
    ) -> Mutation {
        Mutation(.changes, name) { mutation in
            let last = Kept(Int64(0))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let receipt = try await store.commit(changes)
                _ = last.change { max($0, receipt.token.position) }
                return receipt
            }
            mutation.answer = { (request, store) async throws(PersistencyError) in
                guard let token = request.consistency.token, token.position > last.change({ $0 }) else {
                    return try await store.read(request)
                }
                return try await answer(request, store)
            }
        }
    }

    /// A stream with other events.
    static func forwarding(
        _ stream: AsyncStream<ChangeEvent>,
        _ forward: @escaping @Sendable (AsyncStream<ChangeEvent>, AsyncStream<ChangeEvent>.Continuation) async -> Void
    ) -> AsyncStream<ChangeEvent> {
        let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
        Task {
            await forward(stream, continuation)
            continuation.finish()
        }
        return told
    }
}
