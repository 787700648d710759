#if Service
public import LarderHTTP

/// A feed of changes that runs until its owner is released.
public final class RunningFeed: Sendable {
    /// The feed did not reach a position within a minute.
    public struct TooLate: Error {}

    /// The feed.
    public let feed: ChangeFeed
    private let task: Task<Void, any Error>

    /// Starts a feed.
    public init(_ feed: ChangeFeed) {
        self.feed = feed
        task = Task { try await feed.run() }
    }

    deinit {
        task.cancel()
    }

    /// Returns once the feed has read all that a store committed.
    ///
    /// - Throws: ``TooLate``
    public func catchUp(with store: GatedStore) async throws {
        try await until { feed.lastSequence >= store.lastSequence }
    }

    /// Returns once each subscriber has received everything, or has left.
    ///
    /// - Throws: ``TooLate``
    public func settle() async throws {
        try await until { feed.isSettled }
    }

    /// Advances by the time between two heartbeats.
    ///
    /// - Throws: ``TooLate``
    public func beat() async throws {
        try await settle()
        feed.look(at: .now, beats: true)
        try await settle()
    }

    /// Waits at least a minute; counts attempts, because this task may itself wait long for its turn.
    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 {
            if condition() { return }
            // A yield would take time from the tasks that this waits for.
            try await Task.sleep(for: .milliseconds(1))
        }
        throw TooLate()
    }
}
#endif
