public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tags of a manager.
public struct StoredTags: TagRepository {
    /// What the tags are stored through.
    public let manager: any PersistencyManager

    /// Keeps tags through a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func named(exactly names: [String]) async throws(PersistencyError) -> [Stored<Tag>] {
        try await read(Query(#Predicate { names.contains($0.name) })).items
    }

    public func named(_ name: String) async throws(PersistencyError) -> [Stored<Tag>] {
        let folded = name.lowercased()
        return try await read(Query(#Predicate { $0.foldedName == folded })).items
    }

    public func withRecipeCounts() async throws(PersistencyError) -> [TagCount] {
        let tags = try await read(Query(sort: [Sort(\.foldedName), Sort(\.name)])).entities
        let counts = try await manager.counts(Query<Recipe>(), by: .members(\.tags))
        return tags.map { TagCount($0, recipes: counts[$0.id] ?? 0) }
    }
}
