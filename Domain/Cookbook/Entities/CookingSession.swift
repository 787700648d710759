public import LarderDomain

/// That a user cooked something.
public struct CookingSession: Entity {
    /// The cooking session.
    public let id: EntityID<CookingSession>
    /// Who cooked. The record is the user's own and goes with the user.
    public let user: EntityID<User>
    /// What was cooked; `nil` when the recipe is no more.
    public let recipe: EntityID<Recipe>?
    /// How often in a row, 1 to 1,000.
    public let repetitions: Int
    /// When it began.
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
