/// What a ``ChangeFeed`` keeps and how long it waits.
public struct FeedBounds: Sendable {
    /// How many commits can be told again.
    public var commits = 1024
    /// How many changes those commits hold at most. A commit with more alone is told as a reset.
    public var changes = 16_384
    /// How many changes that a subscriber may see one event carries; more are told as a reset.
    public var changesPerEvent = 200
    /// How many subscribers there may be at a time.
    public var subscribers = 1000
    /// How long a subscriber may take over one event before it is dropped.
    public var patience: Duration = .seconds(10)
    /// The same once the feed ends, so that one slow reader does not hold up the server's end.
    public var lastPatience: Duration = .seconds(1)
    /// How often a subscriber hears something at least.
    public var heartbeat: Duration = .seconds(15)

    public init() {}

    /// How often it is looked whether somebody is late; patience and heartbeats are kept this exactly.
    var lookout: Duration { max(.milliseconds(1), min(patience, lastPatience, heartbeat) / 4) }
}
