public import LarderDomain

/// Cooks a recipe: records a cooking session, extends the cookbook's history, and marks the recipe as cooked.
public struct CookRecipe: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The user who cooks.
        public let user: EntityID<User>
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// The cookbook whose history is extended.
        public let cookbook: EntityID<Cookbook>
        /// The number of repetitions in a row, 1 to 1,000.
        public let repetitions: Int

        /// Makes a request to cook a recipe.
        public init(
            user: EntityID<User>, recipe: EntityID<Recipe>, cookbook: EntityID<Cookbook>, repetitions: Int = 1
        ) {
            self.user = user
            self.recipe = recipe
            self.cookbook = cookbook
            self.repetitions = repetitions
        }
    }

    /// The three entities after the use case.
    public struct Outcome: Sendable, Equatable {
        /// The new session.
        public let session: CookingSession
        /// The cookbook with the recipe at the end of its history.
        public let cookbook: Cookbook
        /// The recipe; marked as cooked if the caller may change it.
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

    /// Runs in one transaction: all three entities are stored, or none.
    ///
    /// Any caller that may read a recipe may cook it, but the recipe is marked only if the caller may change it.
    ///
    /// - Throws: `InvalidField` naming `repetitions`; `notFound` if the caller sees no such user, recipe, or cookbook;
    ///   `forbidden` if the session or the cookbook is not the caller's.
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
