public import LarderDomain

/// Gives a tag another name, in all recipes that have it.
public struct RenameTag: Sendable {
    /// Which tag, which name.
    public struct Request: Sendable {
        /// The tag.
        public let tag: EntityID<Tag>
        /// Its new name.
        public let name: String

        /// Asks for a new name.
        public init(tag: EntityID<Tag>, name: String) {
            self.tag = tag
            self.name = name
        }
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Renames the tag; recipes refer to it by id and are not touched.
    ///
    /// - Throws: `InvalidField` naming `name`; `notFound`; `duplicate` when another tag has the name in any
    ///   case: merge them then.
    @discardableResult
    public func execute(_ request: Request) async throws -> Saved<Tag> {
        try await storage.transaction { repositories in
            let stored = try await repositories.tags.require(request.tag)
            let renamed = try stored.entity.renamed(request.name)
            return try await repositories.tags.update(renamed, expecting: stored.version)
        }
    }
}
