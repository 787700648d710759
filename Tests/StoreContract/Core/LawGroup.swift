/// What a law is about.
public enum LawGroup: String, Sendable, Hashable, CaseIterable {
    /// Round trips of values, also at their limits.
    case values
    /// Change sets as the store's port takes them.
    case commits
    /// Create, read, update, save and delete.
    case lifecycle
    /// Which entities a query finds.
    case queries
    /// In which order, page by page.
    case order
    /// Aggregates with what they own, references and cycles.
    case graph
    /// Values that stand once.
    case uniqueness
    /// What a deletion does to those that refer, and references that would name nothing.
    case deleteRules
    /// Many changes as one.
    case transactions
    /// Changes that were based on what another one replaced.
    case conflicts
    /// That nothing is written but what differs.
    case changeTracking
    /// What observers are told.
    case changes
    /// Opening, closing, opening again.
    case storeLife
    /// Many tasks at once.
    case concurrency
    /// Tasks that were cancelled.
    case cancellation
    /// Runs of random work, judged by a model, by histories and by an oracle.
    case runs
}
