public import LarderDomain

/// A recipe in a list.
public struct RecipeLine: ReadModel, Equatable {
    public typealias Source = Recipe

    /// The recipe's id.
    public let id: EntityID<Recipe>
    /// The name.
    public let name: String
    /// The preparation and cooking time, if known.
    public let totalMinutes: Int?
    /// The rating; 0 is none.
    public let rating: Int
    /// The identifier in the source, if it was imported.
    public let sourceIdentifier: String?
    /// The photo, if any.
    public let photo: EntityID<Photo>?
    /// The number of ingredients.
    public let ingredients: Int
    /// The number of steps.
    public let steps: Int

    /// Makes a line; for mappers.
    public init(
        id: EntityID<Recipe>, name: String, totalMinutes: Int?, rating: Int, sourceIdentifier: String?,
        photo: EntityID<Photo>?, ingredients: Int, steps: Int
    ) {
        (self.id, self.name, self.totalMinutes, self.rating) = (id, name, totalMinutes, rating)
        (self.sourceIdentifier, self.photo) = (sourceIdentifier, photo)
        (self.ingredients, self.steps) = (ingredients, steps)
    }

    /// See ``Recipe/outsideIdentifier``.
    public var outsideIdentifier: String { Recipe.outsideIdentifier(sourceIdentifier, id) }
}
