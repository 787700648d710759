public import LarderDomain

/// Cooks a recipe: a cooking session is recorded, the cookbook's history grows, and the recipe has been cooked.
public struct CookRecipe: Sendable {
    /// Who cooks what, and where that is noted.
    public struct Request: Sendable {
        /// Who cooks.
        public let user: EntityID<User>
        /// What is cooked.
        public let recipe: EntityID<Recipe>
        /// The cookbook whose history grows.
        public let cookbook: EntityID<Cookbook>
        /// How often in a row, 1 to 1,000.
        public let repetitions: Int

        /// Asks to cook.
        public init(
            user: EntityID<User>, recipe: EntityID<Recipe>, cookbook: EntityID<Cookbook>, repetitions: Int = 1
        ) {
            self.user = user
            self.recipe = recipe
            self.cookbook = cookbook
            self.repetitions = repetitions
        }
    }

    /// What became of the three.
    public struct Outcome: Sendable, Equatable {
        /// The new session.
        public let session: CookingSession
        /// The cookbook with the recipe at the end of its history.
        public let cookbook: Cookbook
        /// The recipe; completed, if it is the caller's to change.
        public let recipe: Recipe
    }

    private let storage: CookbookStorage
    private let ids: any IDGenerator
    private let now: @Sendable () -> Timestamp

    /// Makes the use case.
    public init(storage: CookbookStorage, ids: any IDGenerator, now: @escaping @Sendable () -> Timestamp) {
        self.storage = storage
        self.ids = ids
        self.now = now
    }

    /// Cooks in one transaction: all three are stored, or none.
    ///
    /// Whoever may read a recipe may cook it, but that it is completed is noted only where the caller may change it.
    ///
    /// - Throws: `InvalidField` naming `repetitions`; `notFound` for a user, recipe or cookbook that is not there for the
    ///   caller; `forbidden` when the session or the cookbook is not the caller's.
    @discardableResult
    public func execute(_ request: Request) async throws -> Outcome {
        let session = try CookingSession(
            id: ids.next(), user: request.user, recipe: request.recipe, repetitions: request.repetitions,
            startedAt: now())
        let policy = RecipePolicy(storage.caller)
        return try await storage.transaction { repositories in
            _ = try await repositories.users.require(request.user)
            let recipe = try await repositories.recipes.require(request.recipe)
            let cookbook = try await repositories.cookbooks.require(request.cookbook)

            let cooked = recipe.entity.cooked()
            let mayComplete = policy.mayUpdate(recipe.entity, to: cooked)
            let outcome = Outcome(
                session: session, cookbook: cookbook.entity.recording(recipe.id),
                recipe: mayComplete ? cooked : recipe.entity)

            try await repositories.sessions.create(outcome.session)
            try await repositories.cookbooks.update(outcome.cookbook, expecting: cookbook.version)
            if mayComplete { try await repositories.recipes.update(outcome.recipe, expecting: recipe.version) }
            return outcome
        }
    }
}
