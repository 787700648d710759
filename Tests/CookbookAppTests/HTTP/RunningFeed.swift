import LarderData
import Synchronization

@testable import LarderApp

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
        while feed.state.withLock({ $0.ring.newest }) < store.lastSequence { await Task.yield() }
    }

    /// Returns once everybody was told everything, or has gone.
    func settle() async {
        while feed.state.withLock({ $0.waiters.count < $0.subscribers.count }) {
            // No yield: it would take time from those whom this waits for.
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Lets the time between two heartbeats pass.
    func beat() async {
        await settle()
        feed.look(at: .now, beats: true)
        await settle()
    }
}
