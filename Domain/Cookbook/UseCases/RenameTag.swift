public import LarderDomain

/// Renames a tag, in all recipes that have it.
public struct RenameTag: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The tag.
        public let tag: EntityID<Tag>
        /// Its new name.
        public let name: String

        /// Makes a request to rename a tag.
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

    /// Renames the tag. Recipes refer to it by id and do not change.
    ///
    /// - Throws: `InvalidField` naming `name`; `notFound`; `duplicate` if another tag has the name in any spelling
    ///   (merge them instead).
    @discardableResult
    public func execute(_ request: Request) async throws -> Saved<Tag> {
        try await storage.repositories.tags.change(request.tag) { $0 = try $0.renamed(request.name) }
    }
}
