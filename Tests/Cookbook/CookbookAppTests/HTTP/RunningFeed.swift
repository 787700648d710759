import LarderData
@testable import LarderHTTP
import Synchronization
import Testing

/// A feed of changes that runs as long as it has an owner.
final class RunningFeed: Sendable {
    let feed: ChangeFeed
    private let task: Task<Void, any Error>

    init(_ feed: ChangeFeed) {
        self.feed = feed
        task = Task { try await feed.run() }
    }

    deinit {
        task.cancel()
    }

    /// Returns once the feed has heard of all that a store committed.
    func catchUp(with store: GatedStore) async {
        await until { feed.state.withLock { $0.ring.newest } >= store.lastSequence }
    }

    /// Returns once everybody was told everything, or has gone.
    func settle() async {
        await until { feed.state.withLock { $0.waiters.count >= $0.subscribers.count } }
    }

    /// Waits for a minute at least, and fails the test then; tries are counted, since this may itself wait long for its turn.
    private func until(_ isSo: () -> Bool) async {
        for _ in 0..<60_000 {
            if isSo() { return }
            // No yield: it would take time from those whom this waits for.
            try? await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("the feed does not come so far")
    }

    /// Lets the time between two heartbeats pass.
    func beat() async {
        await settle()
        feed.look(at: .now, beats: true)
        await settle()
    }
}
