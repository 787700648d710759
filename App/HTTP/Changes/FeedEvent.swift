public import LarderData

/// What a subscriber of a ``ChangeFeed`` is told.
public enum FeedEvent: Sendable, Equatable {
    /// Changes may have been missed: whatever was read before must be read again. The stream goes on after the id.
    case reset(ResetReason, EventID)
    /// A commit, with those of its entries and removals that the subscriber may see; there is at least one.
    case commit(CommittedChanges, EventID)
    /// Nothing happened for a while; everything up to the id was told, or is not for this subscriber.
    case heartbeat(EventID)
    /// The server stops. It is the last event.
    case shutdown(EventID)
}

/// Why a subscriber cannot know what it missed.
public enum ResetReason: String, Sendable, CaseIterable {
    /// The id is of another run of the server.
    case restart
    /// The id is no id of this feed.
    case unknownID = "unknown-id"
    /// The id is older than what is kept, or the subscriber fell that far behind.
    case overrun
    /// The feed itself fell behind the store.
    case gap
    /// One commit holds more changes that the subscriber may see than one event carries.
    case bulk
}

/// Why a feed takes no subscriber.
public enum FeedRefusal: Error, Sendable, Equatable {
    /// It has as many as it is allowed to have.
    case tooManySubscribers(bound: Int)
    /// It has ended, because the server stops or the store was closed.
    case ended
}
