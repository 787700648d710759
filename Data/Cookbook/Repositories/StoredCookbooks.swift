public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The cookbooks of a manager.
public struct StoredCookbooks: CookbookRepository {
    /// What the cookbooks are stored through.
    public let manager: any PersistencyManager

    /// Keeps cookbooks through a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func owned(by user: EntityID<User>) async throws(PersistencyError) -> [Stored<Cookbook>] {
        try await read(Query(#Predicate { $0.owner == user })).items
    }
}
