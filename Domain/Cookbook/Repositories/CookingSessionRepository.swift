public import LarderDomain

/// Keeps cooking sessions.
public protocol CookingSessionRepository: EntityRepository where Model == CookingSession {
    /// One page of the sessions of a user that began at an instant or after it, and before another; the first one first.
    ///
    /// - Parameter limit: The most sessions of the page; `nil` means all in one page.
    func of(
        _ user: EntityID<User>, from start: Timestamp, until end: Timestamp, limit: Int?, after: Cursor?
    ) async throws(PersistencyError) -> QueryPage<CookingSession>

    /// The recipes with the most sessions, the one with the most first; of those with equally many the older one.
    ///
    /// Only sessions that the caller may see are counted, and none of a recipe that is no more. The store counts.
    ///
    /// - Parameter limit: The most recipes; none for 0 or less.
    func mostCooked(limit: Int) async throws(PersistencyError) -> [CookedCount]
}

extension CookingSessionRepository {
    /// All sessions of a user within a time, the first one first.
    public func of(
        _ user: EntityID<User>, from start: Timestamp, until end: Timestamp
    ) async throws(PersistencyError) -> [Stored<CookingSession>] {
        try await of(user, from: start, until: end, limit: nil, after: nil).items
    }
}

/// A recipe with the number of its cooking sessions.
public struct CookedCount: Sendable, Equatable {
    /// The recipe.
    public let recipe: EntityID<Recipe>
    /// How many sessions it has.
    public let sessions: Int

    /// Pairs a recipe with a number.
    public init(_ recipe: EntityID<Recipe>, sessions: Int) {
        self.recipe = recipe
        self.sessions = sessions
    }
}
