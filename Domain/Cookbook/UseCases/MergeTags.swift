public import LarderDomain

/// Merges two tags: each recipe with either has exactly the remaining one, and the other is deleted.
public struct MergeTags: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The tag to delete.
        public let source: EntityID<Tag>
        /// The tag to keep.
        public let target: EntityID<Tag>

        /// Makes a request to merge tags.
        public init(_ source: EntityID<Tag>, into target: EntityID<Tag>) {
            self.source = source
            self.target = target
        }
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Merges the tags in one transaction and returns the number of changed recipes.
    ///
    /// A concurrent change that adds the old tag to a recipe causes a conflict; the next attempt includes that recipe.
    ///
    /// - Throws: `InvalidField` if both are the same tag; `notFound` if one of them does not exist.
    @discardableResult
    public func execute(_ request: Request) async throws -> Int {
        guard request.source != request.target else {
            throw InvalidField(
                entity: Tag.entityName, id: request.source.rawValue, field: "target", reason: "must be another tag")
        }
        return try await storage.transaction { repositories in
            let source = try await repositories.tags.require(request.source)
            _ = try await repositories.tags.require(request.target)
            let tagged = try await repositories.recipes.list(.init(.init(anyOfTags: [request.source]), sort: .stored))
            for stored in tagged.items {
                let recipe = stored.entity.replacing(request.source, with: request.target)
                try await repositories.recipes.update(recipe, expecting: stored.version)
            }
            try await repositories.tags.delete(request.source, expecting: source.version)
            return tagged.items.count
        }
    }
}
