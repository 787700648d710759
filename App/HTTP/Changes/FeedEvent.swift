public import LarderApp
public import LarderDomain

/// An event for a subscriber of a ``ChangeFeed``. Its token is its id, with which a client resumes after it.
public enum FeedEvent: Sendable, Equatable {
    /// Changes may have been missed: read again all data that was read before. The stream continues after the token.
    case reset(ResetReason, ChangeToken)
    /// A commit, with the entries and removals that the subscriber may see, at least one.
    case commit(CommittedChanges, ChangeToken)
    /// No visible change for a while. Everything up to the token was sent, or is not visible to this subscriber.
    case heartbeat(ChangeToken)
    /// The server stops. This is the last event.
    case shutdown(ChangeToken)
}

/// The reason why the missed changes of a subscriber are unknown.
public enum ResetReason: String, Sendable, CaseIterable {
    /// The id is of another lifetime of the store: it was replaced or restored, or it has no journal and was opened again.
    case otherLifetime = "other-lifetime"
    /// The id is not valid for this feed.
    case unknownID = "unknown-id"
    /// The store does not retain all missed commits.
    case gap
    /// One commit has more visible changes than fit into one event.
    case bulk
}

/// The reason why a feed refuses a subscriber.
public enum FeedRefusal: Error, Sendable, Equatable {
    /// The maximum number of subscribers is reached: of all callers, of all anonymous ones, or of the caller.
    case tooManySubscribers(WorkRefusal)
    /// The feed has ended, because the server stops or the store was closed.
    case ended
}
