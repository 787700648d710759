public import LarderDomain

/// Lends a bike to a user.
public struct LendBike: Sendable {
    private let manager: any PersistencyManager

    /// Creates the use case.
    public init(_ manager: any PersistencyManager) {
        self.manager = manager
    }

    /// Records the borrower.
    ///
    /// - Throws: ``BikeIsLent``; `notFound` for a bike or a user that does not exist.
    public func execute(_ bike: EntityID<Bike>, to user: EntityID<User>) async throws -> Stored<Bike> {
        try await manager.transaction { manager in
            _ = try await manager.require(user)
            return try await manager.change(bike) { $0 = try $0.lent(to: user) }.stored
        }
    }
}
