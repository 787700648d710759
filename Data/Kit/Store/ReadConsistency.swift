public import LarderDomain

/// The copy of the data that may answer a read, and the commit that the answer includes.
///
/// The answer of a store with one copy includes all commits acknowledged before the read [consistency.1]. Managers read
/// the primary copy, unless `StoreManager.reading(_:)` permits a stale answer.
public struct ReadConsistency: Hashable, Sendable {
    /// A copy of the data.
    public enum Preference: Hashable, Sendable {
        /// The copy that receives the writes. The answer includes all acknowledged commits [consistency.2].
        case primary
        /// Any copy. The answer may lack the latest commits that ``ReadConsistency/token`` does not require.
        case replica
    }

    /// The copy that may answer.
    public var preference: Preference
    /// The position of a commit that the answer includes, with all commits before it [consistency.3]; `nil` requires
    /// none. For a commit that the store does not have yet, the primary copy answers at once, without it [consistency.4].
    public var token: ChangeToken?

    /// Creates a requirement; without arguments, the primary copy.
    public init(_ preference: Preference = .primary, including token: ChangeToken? = nil) {
        self.preference = preference
        self.token = token
    }
}

extension ChangeHub {
    /// Accepts every requirement that a store with one copy of its data satisfies.
    ///
    /// - Throws: `unsupportedQuery` for a token of another lifetime of the store: its commits are not comparable.
    public func check(_ consistency: ReadConsistency) throws(PersistencyError) {
        guard let token = consistency.token, token.lifetime != lifetime else { return }
        throw .unsupportedQuery("a token of another lifetime of the store")
    }
}
