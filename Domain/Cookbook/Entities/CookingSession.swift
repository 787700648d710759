public import LarderDomain

/// A record of a user cooking a recipe.
public struct CookingSession: Entity {
    /// The cooking session.
    public let id: EntityID<CookingSession>
    /// The user who cooked. A deletion of the user deletes the record.
    public let user: EntityID<User>
    /// The cooked recipe; `nil` after its deletion.
    public let recipe: EntityID<Recipe>?
    /// The number of repetitions in a row, 1 to 1,000.
    public let repetitions: Int
    /// The start.
    public let startedAt: Timestamp

    /// Makes a cooking session.
    ///
    /// - Throws: `InvalidField` naming `repetitions`.
    public init(
        id: EntityID<CookingSession>, user: EntityID<User>, recipe: EntityID<Recipe>?, repetitions: Int = 1,
        startedAt: Timestamp
    ) throws(InvalidField) {
        try FieldCheck(CookingSession.self).number(repetitions, "repetitions", in: 1...1_000)
        self.id = id
        self.user = user
        self.recipe = recipe
        self.repetitions = repetitions
        self.startedAt = startedAt
    }
}
