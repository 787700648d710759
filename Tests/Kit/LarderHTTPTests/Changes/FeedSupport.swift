import LarderData
import LarderDomain
@testable import LarderHTTP
import Synchronization

/// A feed whose commits come from the test instead of a store. It does not depend on the clock unless a test sets a
/// short bound, because a machine may be slow. ``ChangeFeed/look(at:beats:)`` simulates the passage of time.
struct TestFeed {
    static let boot = "5f0c91ab"
    let feed: ChangeFeed
    let store: AsyncStream<ChangeEvent>.Continuation

    /// Bounds that no test reaches by waiting.
    static var bounds: FeedBounds {
        var bounds = FeedBounds()
        bounds.patience = .seconds(3600)
        bounds.lastPatience = .seconds(3600)
        bounds.heartbeat = .seconds(3600)
        return bounds
    }

    init(_ change: (inout FeedBounds) -> Void = { _ in }) {
        var bounds = Self.bounds
        change(&bounds)
        let (commits, store) = AsyncStream.makeStream(of: ChangeEvent.self)
        self.store = store
        feed = ChangeFeed(of: commits, boot: Self.boot, bounds: bounds)
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
        for sequence in sequences { store.yield(.commit(Self.commit(sequence))) }
    }

    /// Commits, and waits until the feed has read the commits.
    func commitAndWait(_ sequences: ClosedRange<Int64>) async throws {
        commit(sequences)
        try await until { feed.state.withLock { $0.ring.newest >= sequences.upperBound } }
    }

    /// Waits until this many subscribers have received everything and wait for more.
    func untilWaiting(_ count: Int) async throws {
        try await until { feed.state.withLock { $0.waiters.count == count } }
    }

    /// A commit of notes whose ids end in 1, 2 and so on, with version `sequence`.
    static func commit(_ sequence: Int64, changes: Int = 1) -> CommittedChanges {
        CommittedChanges(
            token: ChangeToken(lifetime: 0, position: sequence), id: CommitID(RawID(high: 0, low: 0)),
            entries: (0..<changes).map {
                CommittedChange(
                    EntityReference(entity: "note", id: RawID(high: 0, low: UInt64($0) + 1)), kind: .updated,
                    version: sequence)
            })
    }

    static func id(_ sequence: Int64) -> EventID { EventID(boot: boot, sequence: sequence) }
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

extension FeedEvent {
    var id: EventID {
        switch self {
        case .reset(_, let id), .commit(_, let id), .heartbeat(let id), .shutdown(let id): id
        }
    }
}

extension ChangeSubscription {
    /// The next events, as `commit 3` or `reset overrun 7`.
    func read(_ count: Int) async -> [String] {
        var read: [String] = []
        while read.count < count, let event = await next() {
            switch event {
            case .commit(_, let id): read.append("commit \(id.sequence)")
            case .reset(let reason, let id): read.append("reset \(reason.rawValue) \(id.sequence)")
            case .heartbeat(let id): read.append("heartbeat \(id.sequence)")
            case .shutdown(let id): read.append("shutdown \(id.sequence)")
            }
        }
        return read
    }
}
