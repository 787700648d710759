/// Whether a store has stored a change set.
public enum CommitOutcome: Sendable, Equatable {
    /// At least one attempt to commit it is stored [outcome.5].
    case stored
    /// It is not stored, and will not be [outcome.6].
    case absent
    /// The store cannot know: the commit is running [outcome.7], in doubt [outcome.8], or older than the recorded
    /// commits.
    case unknown
}
