/// The subject of a law.
public enum LawGroup: String, Sendable, Hashable, CaseIterable {
    /// Round trips of values, including extreme values.
    case values
    /// Change sets at the store's port.
    case commits
    /// Create, read, update, save and delete.
    case lifecycle
    /// The results of queries.
    case queries
    /// Sort orders and pages.
    case order
    /// Aggregates with their owned objects, references, and cycles.
    case graph
    /// Unique values.
    case uniqueness
    /// Delete rules and dangling references.
    case deleteRules
    /// Atomic commits of many changes.
    case transactions
    /// Changes based on an outdated version.
    case conflicts
    /// Minimal writes.
    case changeTracking
    /// Change notifications.
    case changes
    /// Opening, closing, and reopening.
    case storeLife
    /// Concurrent tasks.
    case concurrency
    /// Cancelled tasks.
    case cancellation
    /// Random runs, judged by a model, by histories, and by an oracle.
    case runs
}
