public import LarderDomain

/// Which copy of the data may answer a read, and which commit the answer includes.
///
/// A store with one copy answers with all commits that were acknowledged before the read. Managers read the primary copy;
/// the caller of a store decides where an older answer is enough.
public struct ReadConsistency: Hashable, Sendable {
    /// A copy of the data.
    public enum Preference: Hashable, Sendable {
        /// The copy that is written. The answer includes all acknowledged commits.
        case primary
        /// Any copy. The answer may lack the latest commits, except for those that ``ReadConsistency/token`` requires.
        case replica
    }

    /// The copy that may answer.
    public var preference: Preference
    /// The position of a commit that the answer includes, with all commits before it; `nil` requires none.
    public var token: StoreToken?

    /// Makes a requirement; without arguments, the primary copy.
    public init(_ preference: Preference = .primary, including token: StoreToken? = nil) {
        self.preference = preference
        self.token = token
    }
}

extension ChangeHub {
    /// Accepts each requirement that a store with one copy of its data satisfies.
    ///
    /// - Throws: `unsupportedQuery` for a token of another lifetime of the store: its commits are not comparable.
    public func check(_ consistency: ReadConsistency) throws(PersistencyError) {
        guard let token = consistency.token, token.lifetime != lifetime else { return }
        throw .unsupportedQuery("a token of another lifetime of the store")
    }
}
