import LarderData
import LarderDomain
@testable import LarderHTTP
import Synchronization

/// A feed whose commits come from the test instead of a store. It does not depend on the clock unless a test sets a
/// short bound, because a machine may be slow. ``ChangeFeed/look(at:beats:)`` simulates the passage of time.
struct TestFeed {
    let feed: ChangeFeed
    let store: AsyncStream<ChangeEvent>.Continuation
    /// The journal from which the feed reads commits that its ring no longer has.
    private let journal: RetainedCommits?

    /// Bounds that no test reaches by waiting.
    static var bounds: FeedBounds {
        var bounds = FeedBounds()
        bounds.patience = .seconds(3600)
        bounds.lastPatience = .seconds(3600)
        bounds.heartbeat = .seconds(3600)
        bounds.lifetime = .seconds(360_000)
        return bounds
    }

    init(journal bounds: JournalBounds? = nil, _ change: (inout FeedBounds) -> Void = { _ in }) {
        var feedBounds = Self.bounds
        change(&feedBounds)
        let (commits, store) = AsyncStream.makeStream(of: ChangeEvent.self)
        let journal = bounds.map { RetainedCommits($0) }
        (self.store, self.journal) = (store, journal)
        feed = ChangeFeed(
            of: commits, after: Self.token(0), bounds: feedBounds, journal: journal.map(Self.streams))
    }

    /// Streams of the commits in a journal, as a store makes them.
    private static func streams(of journal: RetainedCommits) -> ChangeFeed.Journal {
        { token in
            let last = journal.commits(after: 0, limit: .max).last?.token.position ?? 0
            let hub = ChangeHub(buffer: 0, lifetime: token.lifetime, position: last)
            return hub.subscribe(after: token, journal: journal.reader)
        }
    }

    /// Runs the feed during the body, and ends it with the store's stream.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await feed.run() }
            do {
                try await body()
            } catch {
                group.cancelAll()
                throw error
            }
            store.finish()
            try await group.waitForAll()
        }
    }

    func commit(_ sequences: ClosedRange<Int64>) {
        for sequence in sequences { commit(Self.commit(sequence)) }
    }

    func commit(_ commit: CommittedChanges) {
        journal?.append(commit, at: .now())
        store.yield(.commit(commit))
    }

    /// Commits, and waits until the feed has read the commits.
    func commitAndWait(_ sequences: ClosedRange<Int64>) async throws {
        commit(sequences)
        try await until { feed.state.withLock { $0.ring.newest >= sequences.upperBound } }
    }

    /// Waits until this many subscribers have received everything and wait for more. One that has waited since before
    /// the last event does not count: the feed resumes it later than the event is in the ring.
    func untilWaiting(_ count: Int) async throws {
        try await until { feed.state.withLock { state in state.waiters.count { $0.round == state.round } == count } }
    }

    /// A commit of notes whose ids end in 1, 2 and so on, with version `sequence`.
    static func commit(_ sequence: Int64, changes: Int = 1) -> CommittedChanges {
        CommittedChanges(
            token: token(sequence), id: CommitID(RawID(high: 0, low: 0)),
            entries: (0..<changes).map {
                CommittedChange(
                    EntityReference(entity: "note", id: RawID(high: 0, low: UInt64($0) + 1)), kind: .updated,
                    version: sequence)
            })
    }

    static func token(_ position: Int64) -> ChangeToken {
        ChangeToken(lifetime: 0x5f0c_91ab_5f0c_91ab, position: position)
    }
}

/// A condition that did not become true in time.
struct NeverSo: Error {}

/// Waits until another task makes a condition true, for at least a minute. It counts attempts, because this test may
/// itself wait long for its turn, and sleeps between them, so that it takes no time from the other task.
///
/// - Throws: ``NeverSo``.
func until(_ isSo: () -> Bool) async throws {
    for _ in 0..<60_000 {
        if isSo() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    throw NeverSo()
}

extension ChangeFeed {
    /// Makes a subscription that sees a part of each commit.
    func subscribe(
        after id: String? = nil, visible: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
    ) throws -> ChangeSubscription {
        try subscribe(after: id, as: ChangeAudience(visible: visible))
    }
}

extension ChangeSubscription {
    /// The next events, as `commit 3` or `reset gap 7`.
    func read(_ count: Int) async -> [String] {
        var read: [String] = []
        while read.count < count, let event = await next() {
            switch event {
            case .commit(_, let token): read.append("commit \(token.position)")
            case .reset(let reason, let token): read.append("reset \(reason.rawValue) \(token.position)")
            case .heartbeat(let token): read.append("heartbeat \(token.position)")
            case .shutdown(let token): read.append("shutdown \(token.position)")
            }
        }
        return read
    }
}
