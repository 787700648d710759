public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The cookbooks of a manager.
public struct StoredCookbooks: CookbookRepository {
    /// The manager that stores the cookbooks.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func owned(by user: EntityID<User>) async throws(PersistencyError) -> [Stored<Cookbook>] {
        try await read(Query(#Predicate { $0.owner == user })).items
    }
}
