public import LarderDomain

/// Stores tags.
public protocol TagRepository: EntityRepository where Model == Tag {
    /// The tags with these names in any case and with any diacritics, in the order of their ids, with one statement.
    func named(_ names: [String]) async throws(PersistencyError) -> [Stored<Tag>]

    /// All tags with the number of their recipes, by name.
    func withRecipeCounts() async throws(PersistencyError) -> [TagCount]
}

/// A tag with the number of its recipes.
public struct TagCount: Sendable, Equatable {
    /// The tag.
    public let tag: Tag
    /// The number of recipes with the tag.
    public let recipes: Int

    /// Pairs a tag with a number.
    public init(_ tag: Tag, recipes: Int) {
        self.tag = tag
        self.recipes = recipes
    }
}
