public import LarderDomain

/// Gives everything that a user owns to another: recipes and cookbooks.
public struct HandOverOwnership: Sendable {
    /// From whom, to whom.
    public struct Request: Sendable {
        /// Who owns it now.
        public let source: EntityID<User>
        /// Who shall own it.
        public let target: EntityID<User>

        /// Asks for a change of hands.
        public init(from source: EntityID<User>, to target: EntityID<User>) {
            self.source = source
            self.target = target
        }
    }

    /// How much changed hands.
    public struct Outcome: Sendable, Equatable {
        /// The recipes.
        public let recipes: Int
        /// The cookbooks.
        public let cookbooks: Int
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Hands everything over in one transaction, and says how much it was. Cooking sessions stay with who cooked.
    ///
    /// What the user is given meanwhile may stay the user's; a deletion of the user is refused then.
    ///
    /// - Throws: `InvalidField` when both are the same user; `notFound` when one of them is not there for the caller;
    ///   `forbidden` for anybody but an admin, when there is something to hand over.
    @discardableResult
    public func execute(_ request: Request) async throws -> Outcome {
        guard request.source != request.target else {
            throw InvalidField(
                entity: User.entityName, id: request.source.rawValue, field: "target", reason: "must be another user")
        }
        return try await storage.transaction { repositories in
            _ = try await repositories.users.require(request.source)
            _ = try await repositories.users.require(request.target)
            let recipes = try await repositories.recipes.list(.init(.init(ownedBy: request.source), sort: .stored))
            for stored in recipes.items {
                let recipe = stored.entity.owned(by: request.target)
                try await repositories.recipes.update(recipe, expecting: stored.version)
            }
            let cookbooks = try await repositories.cookbooks.owned(by: request.source)
            for stored in cookbooks {
                let cookbook = stored.entity.owned(by: request.target)
                try await repositories.cookbooks.update(cookbook, expecting: stored.version)
            }
            return Outcome(recipes: recipes.items.count, cookbooks: cookbooks.count)
        }
    }
}
