/// The result of a save.
public struct Saved<E: Entity>: Sendable, Equatable {
    /// The kind of write.
    public let outcome: SaveOutcome
    /// The stored entity with its version.
    public let stored: Stored<E>

    /// Creates a result; for managers.
    public init(_ outcome: SaveOutcome, _ stored: Stored<E>) {
        self.outcome = outcome
        self.stored = stored
    }
}

/// The kind of write that a save made.
public enum SaveOutcome: Sendable, Equatable {
    /// The entity was new.
    case inserted
    /// Values that differed were written.
    case updated
    /// All values were equal; nothing was written.
    case unchanged
}
