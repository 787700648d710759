/// The capacity and the timeouts of a ``ChangeFeed``.
public struct FeedBounds: Sendable {
    /// The maximum number of commits in memory. Older ones are read from the store's journal.
    public var commits = 1024
    /// The maximum number of changes in these commits, unless there is only one.
    public var changes = 16_384
    /// The maximum number of visible changes in one event; a commit with more becomes a reset.
    public var changesPerEvent = 200
    /// The maximum number of simultaneous subscribers.
    public var subscribers = 1000
    /// The maximum number of simultaneous subscribers of one known caller.
    public var subscribersPerCaller = 16
    /// The maximum number of simultaneous subscribers of all anonymous callers together.
    public var anonymousSubscribers = 500
    /// The maximum time until a subscription ends. A client reconnects, and resumes after the last event.
    public var lifetime: Duration = .seconds(3600)
    /// The time in which one waiting subscriber is resumed. With 1,000 of them, each is resumed about once per second,
    /// and gets all events since then at once. A commit therefore costs only the sending of its event.
    public var pace: Duration = .milliseconds(1)
    /// The maximum time for processing one event. A slower subscriber is dropped.
    public var patience: Duration = .seconds(10)
    /// The same after the feed has ended, so that one slow reader does not delay the server's shutdown.
    public var lastPatience: Duration = .seconds(1)
    /// The maximum time between two events for a subscriber.
    public var heartbeat: Duration = .seconds(15)

    /// Makes the standard bounds.
    public init() {}

    /// The bounds with the limits of a server.
    init(_ limits: ServerLimits) {
        subscribers = limits.streams
        (subscribersPerCaller, anonymousSubscribers) = (limits.streamsPerCaller, limits.anonymousStreams)
        lifetime = limits.streamLifetime
    }

    /// The interval at which late subscribers are looked for; the precision of timeouts and heartbeats.
    var lookout: Duration { max(.milliseconds(1), min(patience, lastPatience, heartbeat, lifetime) / 4) }
}
