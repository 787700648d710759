public import LarderDomain

/// What became of one draft.
public enum ImportOutcome: Sendable {
    /// It is a new recipe.
    case inserted(EntityID<Recipe>)
    /// The recipe was there and some of it differed.
    case updated(EntityID<Recipe>)
    /// The recipe was there just so; nothing was written.
    case unchanged(EntityID<Recipe>)
    /// It could not become a recipe, or not be stored.
    case failed(PersistencyError)
}

extension ImportOutcome {
    init(_ saved: Saved<Recipe>) {
        switch saved.outcome {
        case .inserted: self = .inserted(saved.stored.id)
        case .updated: self = .updated(saved.stored.id)
        case .unchanged: self = .unchanged(saved.stored.id)
        }
    }

    /// Why it failed; `nil` when it did not.
    public var failure: PersistencyError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// An import that takes all or nothing took nothing.
public struct ImportRejected: Error, Sendable {
    /// What was wrong, by the position of the draft in the request, from 0.
    public let failures: [Int: PersistencyError]

    /// Rejects an import.
    public init(failures: [Int: PersistencyError]) {
        self.failures = failures
    }
}
