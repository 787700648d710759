public import LarderDomain

/// Makes one tag of two: each recipe that had either has exactly the one that stays, and the other is gone.
public struct MergeTags: Sendable {
    /// Which tag goes, which one stays.
    public struct Request: Sendable {
        /// The tag that goes.
        public let source: EntityID<Tag>
        /// The tag that stays.
        public let target: EntityID<Tag>

        /// Asks for a merge.
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

    /// Merges the tags in one transaction, and says how many recipes changed.
    ///
    /// A recipe that is given the old tag meanwhile would refer to something deleted: the merge begins again and takes it
    /// in.
    ///
    /// - Throws: `InvalidField` when both are the same tag; `notFound` when one of them is not there.
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
