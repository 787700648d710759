public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The cooking sessions of a manager.
public struct StoredCookingSessions: CookingSessionRepository {
    /// The manager that stores the sessions.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func of(
        _ user: EntityID<User>, from start: Timestamp, until end: Timestamp, limit: Int?, after: Cursor?
    ) async throws(PersistencyError) -> QueryPage<CookingSession> {
        let query = Query<CookingSession>(
            #Predicate { $0.user == user && $0.startedAt >= start && $0.startedAt < end }, sort: [Sort(\.startedAt)],
            limit: limit, after: after)
        return try await read(query)
    }

    public func mostCooked(limit: Int) async throws(PersistencyError) -> [CookedCount] {
        let counts = try await manager.counts(Query<CookingSession>(), by: .value(\.recipe))
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(max(0, limit)).map { CookedCount($0.key, sessions: $0.value) }
    }
}
