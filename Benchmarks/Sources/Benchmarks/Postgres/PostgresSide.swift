#if Postgres
import LarderDomain

/// One implementation of the works on PostgreSQL. All use the same tables.
protocol PostgresSide: Sendable {
    var name: String { get }

    /// Reads dishes one by one.
    func read(_ ids: [EntityID<Dish>]) async throws -> Timed
    /// Reads the dishes of each preparation time in the order of their names.
    func read(preparedIn minutes: [Int]) async throws -> Timed
    /// Writes a different rating of each dish in its own commit, after a comparison with the stored dish and its version.
    /// The sum counts the dishes.
    func rate(_ ids: [EntityID<Dish>]) async throws -> Timed
    /// Writes new dishes in one commit. The sum counts them.
    func create(_ dishes: [Dish]) async throws -> Timed
    /// Reads aggregates one by one.
    func read(_ ids: [EntityID<Feast>]) async throws -> Timed
}
#endif
