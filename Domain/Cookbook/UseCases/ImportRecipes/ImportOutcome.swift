public import LarderDomain

/// The result of importing one draft.
public enum ImportOutcome: Sendable {
    /// A new recipe was created.
    case inserted(EntityID<Recipe>)
    /// The recipe existed and was updated.
    case updated(EntityID<Recipe>)
    /// The recipe existed with another name and another author, and was updated: two sources may use one identifier.
    case replaced(EntityID<Recipe>, name: String)
    /// The recipe existed and was equal; nothing was written.
    case unchanged(EntityID<Recipe>)
    /// The draft was invalid, or could not be stored.
    case failed(PersistencyError)
}

extension ImportOutcome {
    /// - Parameter name: The former name, if the recipe had another one and another author.
    init(_ saved: Saved<Recipe>, replacing name: String?) {
        switch saved.outcome {
        case .updated where name != nil: self = .replaced(saved.stored.id, name: name ?? "")
        case .inserted: self = .inserted(saved.stored.id)
        case .updated: self = .updated(saved.stored.id)
        case .unchanged: self = .unchanged(saved.stored.id)
        }
    }

    /// The reason for the failure; `nil` if there was none.
    public var failure: PersistencyError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// The error of an all-or-nothing import with an invalid draft. Nothing was stored.
public struct ImportRejected: Error, Sendable {
    /// The errors, by the position of the draft in the request, from 0.
    public let failures: [Int: PersistencyError]

    /// Makes the error.
    public init(failures: [Int: PersistencyError]) {
        self.failures = failures
    }
}
