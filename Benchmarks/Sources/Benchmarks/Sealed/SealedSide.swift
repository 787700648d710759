import LarderDomain

/// One implementation of the works on dishes with an encrypted summary, over its own database file.
protocol SealedSide: Sendable {
    var name: String { get }

    /// Writes dishes into an empty database in one transaction. The sum is that of the dishes read from it.
    func insert(_ dishes: [Dish], into path: String) async throws -> Timed
    /// Reads all dishes in the order of their ids.
    func readAll() async throws -> Timed
    /// Writes a different rating of each dish in its own commit, after a comparison with the stored dish and its
    /// version. The sum is that of the dishes read afterwards.
    func rate(_ ids: [EntityID<Dish>]) async throws -> Timed
}
