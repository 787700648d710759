public import LarderDomain

/// Stores cooking sessions.
public protocol CookingSessionRepository: EntityRepository where Model == CookingSession {
    /// One page of a user's sessions that began in a half-open interval of time, in chronological order.
    ///
    /// - Parameter limit: The page size; `nil` for one page with all.
    func of(
        _ user: EntityID<User>, from start: Timestamp, until end: Timestamp, limit: Int?, after: Cursor?
    ) async throws(PersistencyError) -> QueryPage<CookingSession>

    /// The recipes with the most sessions, in descending order of their number; the older recipe breaks ties.
    ///
    /// The store counts only sessions that the caller may see, and none of deleted recipes.
    ///
    /// - Parameter limit: The maximum number of recipes; none for 0 or less.
    func mostCooked(limit: Int) async throws(PersistencyError) -> [CookedCount]
}

extension CookingSessionRepository {
    /// All sessions of a user within an interval, in chronological order.
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
    /// The number of sessions.
    public let sessions: Int

    /// Pairs a recipe with a number.
    public init(_ recipe: EntityID<Recipe>, sessions: Int) {
        self.recipe = recipe
        self.sessions = sessions
    }
}
