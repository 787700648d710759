public import LarderDomain

/// Transfers all recipes and cookbooks of a user to another user.
public struct HandOverOwnership: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The current owner.
        public let source: EntityID<User>
        /// The new owner.
        public let target: EntityID<User>

        /// Makes a request to transfer ownership.
        public init(from source: EntityID<User>, to target: EntityID<User>) {
            self.source = source
            self.target = target
        }
    }

    /// The numbers of transferred entities.
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

    /// Transfers everything in one transaction and returns the numbers. Cooking sessions stay with the user who cooked.
    ///
    /// Entities that the user receives meanwhile may remain; a deletion of the user is then refused.
    ///
    /// - Throws: `InvalidField` if both are the same user; `notFound` if the caller does not see one of them;
    ///   `forbidden` for a caller other than an admin, if there is anything to transfer.
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
