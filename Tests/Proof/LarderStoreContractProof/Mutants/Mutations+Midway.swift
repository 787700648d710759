import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects while a commit of thousands of roots runs: for observers that begin, for readers, and for a close.
    static let midway: [Mutation] = [
        arriving("loses a large commit for an observer that begins during it", times: 0),
        arriving("tells an observer twice of a large commit during which it began", times: 2),
        early("publishes a large commit before it can be read") { $0.isLarge },
        early("publishes a commit of 257 to 1,000 roots before it can be read") { changes in
            257...1_000 ~= changes.inserts.count + changes.updates.count + changes.deletes.count
        },
        Mutation(.concurrency, "loses what others commit during a commit of more than 256 roots") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                guard changes.inserts.count > 256, let schema = changes.inserts.first?.schema else {
                    return try await store.commit(changes)
                }
                let before = await store.all(schema)
                for _ in 0..<3 { await Task.yield() }
                let receipt = try await store.commit(changes)
                let known = Set((before + changes.inserts).map(\.id))
                for lost in await store.all(schema) where !known.contains(lost.id) {
                    let deletion = RootExpectation(EntityKey(schema, lost.id), version: lost.version)
                    _ = try? await store.commit(ChangeSet(deletes: [deletion]))
                }
                return receipt
            }
        },
        interrupted("never ends to close during a large commit") { mutation, state in
            mutation.closing = { store in
                if state.exchange(.closed) == .running { await Task.untilCancelled() }
                store.close()
            }
        },
        interrupted("does not answer a large commit that a close interrupts") { mutation, state in
            let commit = mutation.commit
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await commit(changes, store)
                } catch {
                    if changes.isLarge, state.change({ $0 }) == .closed { await Task.untilCancelled() }
                    throw error
                }
            }
        },
        interrupted("leaves streams open if it is closed during a large commit") { mutation, state in
            let wasRunning = Kept(false)
            mutation.closing = { store in
                if state.exchange(.closed) == .running { _ = wasRunning.exchange(true) }
                store.close()
            }
            mutation.changes = { stream in
                let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                Task {
                    for await event in stream { continuation.yield(event) }
                    if !wasRunning.change({ $0 }) { continuation.finish() }
                }
                return told
            }
        },
    ]

    /// Publishes some commits while reads still show the state before them.
    private static func early(_ name: String, _ isEarly: @escaping @Sendable (ChangeSet) -> Bool) -> Mutation {
        Mutation(.changes, name) { mutation in
            let (hidden, reads) = (Kept<[String: [StorageObject]]>([:]), Kept(0))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                guard isEarly(changes), let schema = changes.inserts.first?.schema ?? changes.deletes.first?.key.schema
                else { return try await store.commit(changes) }
                _ = hidden.exchange([schema.name: await store.all(schema)])
                defer { _ = hidden.exchange([:]) }
                let receipt = try await store.commit(changes)
                let before = reads.change { $0 }
                await yielding { reads.change { $0 } > before }
                return receipt
            }
            mutation.answer = { (request, store) async throws(PersistencyError) in
                _ = reads.change { $0 + 1 }
                guard let old = hidden.change({ $0 })[request.schema.name] else { return try await store.read(request) }
                return request.answer(from: old)
            }
            mutation.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                _ = reads.change { $0 + 1 }
                guard let old = hidden.change({ $0 })[schema.name] else { return try await store.read(ids, of: schema) }
                let wanted = Set(ids)
                return old.filter { wanted.contains($0.id) }
            }
        }
    }

    /// Delivers a large commit several times, or not, to observers that begin while it runs.
    private static func arriving(_ name: String, times: Int) -> Mutation {
        Mutation(.changes, name) { mutation in
            let (running, arrivals) = (Kept(0), Kept(0))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                guard changes.isLarge else { return try await store.commit(changes) }
                _ = running.change { $0 + 1 }
                defer { _ = running.change { $0 - 1 } }
                let before = arrivals.change { $0 }
                await yielding { arrivals.change { $0 } > before }
                return try await store.commit(changes)
            }
            mutation.changes = { stream in
                _ = arrivals.change { $0 + 1 }
                guard running.change({ $0 }) > 0 else { return stream }
                return forwarding(stream) { events, continuation in
                    for await event in events {
                        var count = 1
                        if case .commit(let commit) = event, commit.entries.count > ChangeSet.large { count = times }
                        for _ in 0..<count { continuation.yield(event) }
                    }
                }
            }
        }
    }

    private enum Interruption {
        case idle, running, closed
    }

    /// Lets a close in before a large commit.
    private static func interrupted(
        _ name: String, _ change: @escaping @Sendable (inout Mutation, Kept<Interruption>) -> Void
    ) -> Mutation {
        Mutation(.storeLife, name) { mutation in
            let state = Kept(Interruption.idle)
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                guard changes.isLarge else { return try await store.commit(changes) }
                _ = state.change { $0 == .closed ? $0 : .running }
                defer { _ = state.change { $0 == .closed ? $0 : .idle } }
                await yielding { state.change { $0 } == .closed }
                return try await store.commit(changes)
            }
            mutation.closing = { store in
                _ = state.exchange(.closed)
                store.close()
            }
            change(&mutation, state)
        }
    }

    /// Lets other tasks run until something has happened, or has had enough opportunity.
    static func yielding(until hasHappened: () -> Bool) async {
        for _ in 0..<2_000 where !hasHappened() { await Task.yield() }
    }
}

extension ChangeSet {
    /// The number of roots above which a commit is large.
    fileprivate static let large = 1_500

    fileprivate var isLarge: Bool { inserts.count + updates.count + deletes.count > Self.large }
}

extension Task where Success == Never, Failure == Never {
    /// Waits until the law's time limit cancels the task.
    static func untilCancelled() async {
        while !isCancelled { try? await sleep(for: .seconds(60)) }
    }
}
