/// What a save did, and what is stored now.
public struct Saved<E: Entity>: Sendable, Equatable {
    /// What became of the entity.
    public let outcome: SaveOutcome
    /// The entity as it is stored now, with its version.
    public let stored: Stored<E>

    /// Makes an answer; for the managers.
    public init(_ outcome: SaveOutcome, _ stored: Stored<E>) {
        self.outcome = outcome
        self.stored = stored
    }
}

/// Whether a save wrote anything.
public enum SaveOutcome: Sendable, Equatable {
    /// The entity was not there and is now.
    case inserted
    /// Some of its values differed and were written.
    case updated
    /// All was stored already; nothing was written.
    case unchanged
}
