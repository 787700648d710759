import LarderData
import LarderDomain
@testable import LarderFollowersTests
import LarderInfrastructure
import Testing

/// Each promise of followers is broken by a store that the test of the promise must not accept.
@Suite("A store that breaks a promise of followers")
struct FollowerMutantTests {
    /// Expects that a test fails.
    private func expectFailure(_ test: () async throws -> Void) async {
        await Patience.$attempts.withValue(300) {
            await withKnownIssue { try await test() }
        }
    }

    @Test func `loses a commit`() async {
        let mutant = FollowedStore.mutant { event in event.token.position % 50 == 0 ? [] : [event] }
        await expectFailure {
            try await FollowerTests().`receives each commit that changes its entities once, in commit order`(mutant)
        }
    }

    @Test func `repeats a commit`() async {
        let mutant = FollowedStore.mutant { event in [event, event] }
        await expectFailure {
            try await FollowerTests().`has each effect in the same store once, however often its runs end`(mutant)
        }
    }

    @Test func `hides a gap`() async {
        let mutant = FollowedStore.mutant { event in if case .gap = event { [] } else { [event] } }
        await expectFailure { try await FollowerTests().`stops at a gap, or reads everything again`(mutant) }
        await expectFailure {
            try await OutboxTests().`delivers what the journal does not have any more, and further types`(mutant)
        }
    }

    @Test func `does not store positions`() async {
        let mutant = FollowedStore.mutant(commits: { changes, _ in
            changes.updates.removeAll { $0.key.schema.name == FollowedStore.state }
        })
        await expectFailure {
            try await FollowerTests().`has each effect in the same store once, however often its runs end`(mutant)
        }
    }

    @Test func `stores effects and positions in different commits`() async {
        let mutant = FollowedStore.mutant(commits: { changes, base in
            guard changes.updates.contains(where: { $0.key.schema.name == FollowedStore.state }) else { return }
            _ = try? await base.commit(ChangeSet(inserts: changes.inserts))
            changes.inserts = []
        })
        await expectFailure {
            try await FollowerLeaseTests().`a run that has lost its lease has no effect, and the other one has it once`(
                mutant.shared)
        }
    }

    @Test func `forgets what is set aside`() async {
        let mutant = FollowedStore.mutant(commits: { changes, _ in
            changes.inserts.removeAll { $0.schema.name == "set_aside_changes" }
        })
        await expectFailure {
            try await FollowerFailureTests().`sets a commit aside after the last attempt, and an operator retries it`(
                mutant)
        }
    }

    @Test func `forgets ticks`() async {
        let mutant = FollowedStore.mutant(commits: { changes, _ in
            changes.updates.removeAll { $0.key.schema.name == "recurring_state" }
        })
        await expectFailure {
            try await RecurringTests().`is done once for each tick, over two processes that end and start again`(mutant)
        }
    }

    @Test func `drops unread commits`() async {
        let mutant = FollowedStore(name: "forgetful") { schemas, _, bounds in
            MemoryStore(schemas, journal: JournalBounds(changes: bounds.changes, unread: 0))
        }
        await expectFailure {
            try await FollowerTests().`finds all commits that it has not read in the journal, which then drops them`(
                mutant)
        }
    }
}

extension FollowedStore {
    static let state = "follower_state"

    /// A store in memory with another stream of changes.
    fileprivate static func mutant(_ events: @escaping @Sendable (ChangeEvent) -> [ChangeEvent]) -> FollowedStore {
        FollowedStore(name: "mutant") { UnfaithfulStore(MemoryStore($0, journal: $2), events: events) }
    }

    /// A store in memory with other commits.
    fileprivate static func mutant(
        commits: @escaping @Sendable (inout ChangeSet, any Store) async -> Void
    ) -> FollowedStore {
        FollowedStore(name: "mutant") { UnfaithfulStore(MemoryStore($0, journal: $2), commits: commits) }
    }
}

private final class UnfaithfulStore: StoreDecorator {
    let base: any Store
    private let events: @Sendable (ChangeEvent) -> [ChangeEvent]
    private let commits: @Sendable (inout ChangeSet, any Store) async -> Void

    init(
        _ base: any Store, events: @escaping @Sendable (ChangeEvent) -> [ChangeEvent] = { [$0] },
        commits: @escaping @Sendable (inout ChangeSet, any Store) async -> Void = { _, _ in }
    ) {
        (self.base, self.events, self.commits) = (base, events, commits)
    }

    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        let stream = await base.changes(after: token)
        return AsyncStream { continuation in
            let task = Task { [events] in
                for await event in stream { for event in events(event) { continuation.yield(event) } }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        var changes = changes
        await commits(&changes, base)
        return try await base.commit(changes)
    }
}
