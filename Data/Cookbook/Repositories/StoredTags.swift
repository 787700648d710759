public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tags of a manager.
public struct StoredTags: TagRepository {
    /// The manager that stores the tags.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func named(_ names: [String]) async throws(PersistencyError) -> [Stored<Tag>] {
        let folded = Set(names.map(\.folded)).sorted()
        return try await read(Query(#Predicate { folded.contains($0.name.folded) })).items
    }

    public func withRecipeCounts() async throws(PersistencyError) -> [TagCount] {
        let tags = try await read(Query(sort: [Sort(\.name.folded)])).entities
        let counts = try await manager.counts(Query<Recipe>(), by: .members(\.tags))
        return tags.map { TagCount($0, recipes: counts[$0.id] ?? 0) }
    }
}
