extension GuardedManager {
    /// Adds the visibility predicates of the other entities of a condition.
    func restrict(_ other: inout any RelatedQuery) throws(PersistencyError) { other = try restricted(other: other) }

    private func restricted(other: some RelatedQuery) throws(PersistencyError) -> any RelatedQuery {
        var restricted = other
        restricted.query = try self.restricted(other.query)
        return restricted
    }
}
