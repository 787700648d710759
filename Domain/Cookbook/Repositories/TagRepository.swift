public import LarderDomain

/// Keeps tags.
public protocol TagRepository: EntityRepository where Model == Tag {
    /// The tags with these names in exactly this spelling, in no particular order; one statement for all of them.
    func named(exactly names: [String]) async throws(PersistencyError) -> [Stored<Tag>]

    /// The tags with this name in any case, as many as there are spellings of it.
    func named(_ name: String) async throws(PersistencyError) -> [Stored<Tag>]

    /// Every tag with the number of its recipes, by name.
    func withRecipeCounts() async throws(PersistencyError) -> [TagCount]
}

/// A tag with the number of its recipes.
public struct TagCount: Sendable, Equatable {
    /// The tag.
    public let tag: Tag
    /// How many recipes have it.
    public let recipes: Int

    /// Pairs a tag with a number.
    public init(_ tag: Tag, recipes: Int) {
        self.tag = tag
        self.recipes = recipes
    }
}
