public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The repository of bikes.
public struct Bikes: EntityRepository {
    public typealias Model = Bike

    public let manager: any PersistencyManager

    /// The bikes of a manager.
    public init(_ manager: any PersistencyManager) {
        self.manager = manager
    }

    /// The bikes that a user has borrowed, by name.
    public func borrowed(by user: EntityID<User>) async throws(PersistencyError) -> [Stored<Bike>] {
        try await read(Query(#Predicate { $0.borrower == user }, sort: [Sort(\.name)])).items
    }
}
