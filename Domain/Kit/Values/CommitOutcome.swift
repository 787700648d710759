/// Whether a store has stored a change set.
public enum CommitOutcome: Sendable, Equatable {
    /// It is stored.
    case stored
    /// It is not stored, and will not be.
    case absent
    /// The store cannot know: the commit is running, in doubt, or older than the recorded commits.
    case unknown
}
