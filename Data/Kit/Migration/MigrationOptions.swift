/// How a store that opens with other schemas than the recorded ones changes its data.
public struct MigrationOptions: Sendable {
    /// The differences that opening a store applies.
    public enum Mode: String, Sendable, CaseIterable {
        /// Additive ones; any other is refused as `incompatible`, with the pending changes.
        case additions
        /// All.
        case all
        /// None: a store with other schemas is refused.
        case none
    }

    /// The differences that opening applies.
    public var mode: Mode
    /// Whether changes that are not additive are preceded by a copy of the data next to the store.
    public var copies: Bool
    /// Receives progress. Called on the store's thread.
    public var progress: (@Sendable (MigrationProgress) -> Void)?

    /// Creates options; by default, additive differences are applied, and any other is refused.
    public init(
        mode: Mode = .additions, copies: Bool = true, progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) {
        (self.mode, self.copies, self.progress) = (mode, copies, progress)
    }
}

/// The progress of a migration.
public struct MigrationProgress: Sendable, Equatable {
    /// The current change: `step 'split-name' of user`, or a statement.
    public let work: String
    /// The objects that the current change has processed.
    public let done: Int
    /// The objects that it will process; `nil` for a statement.
    public let total: Int?

    /// Describes the progress of one change, in objects; without a total, that of a statement.
    public init(work: String, done: Int = 0, total: Int? = nil) {
        (self.work, self.done, self.total) = (work, done, total)
    }
}
