public import LarderDomain

/// An event for a subscriber of a ``ChangeFeed``.
public enum FeedEvent: Sendable, Equatable {
    /// Changes may have been missed: read again all data that was read before. The stream continues after the id.
    case reset(ResetReason, EventID)
    /// A commit, with the entries and removals that the subscriber may see, at least one.
    case commit(CommittedChanges, EventID)
    /// No visible change for a while. Everything up to the id was sent, or is not visible to this subscriber.
    case heartbeat(EventID)
    /// The server stops. This is the last event.
    case shutdown(EventID)
}

/// The reason why the missed changes of a subscriber are unknown.
public enum ResetReason: String, Sendable, CaseIterable {
    /// The id is of another lifetime of the store: it was replaced or restored, or it has no journal and was opened again.
    case restart
    /// The id is not valid for this feed.
    case unknownID = "unknown-id"
    /// The id is older than the ring's oldest commit, or the subscriber fell this far behind.
    case overrun
    /// The feed itself fell behind the store.
    case gap
    /// One commit has more visible changes than fit into one event.
    case bulk
}

/// The reason why a feed refuses a subscriber.
public enum FeedRefusal: Error, Sendable, Equatable {
    /// The maximum number of subscribers is reached.
    case tooManySubscribers(bound: Int)
    /// The feed has ended, because the server stops or the store was closed.
    case ended
}
