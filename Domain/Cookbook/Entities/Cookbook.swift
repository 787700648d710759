public import LarderDomain

/// A user's collection: the favourite recipes and the cooked recipes.
public struct Cookbook: Entity {
    /// The maximum number of favourites, and of entries in the history.
    public static let capacity = 10_000

    /// The cookbook.
    public let id: EntityID<Cookbook>
    /// The owner.
    public private(set) var owner: EntityID<User>
    /// 1 to 200 characters.
    public let name: String
    /// The favourite recipes, in order, distinct; at most 10,000.
    public private(set) var favourites: [EntityID<Recipe>]
    /// The cooked recipes in chronological order, with repetitions; the last 10,000.
    public private(set) var history: [EntityID<Recipe>]

    /// Makes a cookbook.
    ///
    /// - Parameter limits: `.stored` for a name that a store returned.
    /// - Throws: `InvalidField` naming `name`, `favourites` or `history`.
    public init(
        id: EntityID<Cookbook>, owner: EntityID<User>, name: String, favourites: [EntityID<Recipe>] = [],
        history: [EntityID<Recipe>] = [], limits: TextLimits = .current
    ) throws(InvalidField) {
        self.id = id
        self.owner = owner
        self.name = try FieldCheck(Cookbook.self, limits).text(name, "name", atMost: 200)
        self.favourites = favourites
        self.history = history
        try check()
    }

    private func check() throws(InvalidField) {
        let check = FieldCheck(Cookbook.self)
        try check.distinct(favourites, "favourites", atMost: Self.capacity)
        guard history.count <= Self.capacity else {
            throw check.refusal("history", "must have at most \(Self.capacity) entries")
        }
    }
}

extension Cookbook {
    /// The cookbook with a recipe among its favourites, appended if it was absent.
    ///
    /// - Throws: `InvalidField` naming `favourites` if the list is full.
    public func favouring(_ recipe: EntityID<Recipe>) throws(InvalidField) -> Cookbook {
        guard !favourites.contains(recipe) else { return self }
        var cookbook = self
        cookbook.favourites.append(recipe)
        try cookbook.check()
        return cookbook
    }

    /// The cookbook without a recipe among its favourites.
    public func unfavouring(_ recipe: EntityID<Recipe>) -> Cookbook {
        var cookbook = self
        cookbook.favourites.removeAll { $0 == recipe }
        return cookbook
    }

    /// The cookbook with a recipe at the end of its history. A full history loses its oldest entry, because a limit
    /// must not prevent cooking.
    public func recording(_ recipe: EntityID<Recipe>) -> Cookbook {
        var cookbook = self
        cookbook.history.append(recipe)
        if cookbook.history.count > Self.capacity { cookbook.history.removeFirst() }
        return cookbook
    }

    /// The cookbook with another owner.
    public func owned(by owner: EntityID<User>) -> Cookbook {
        var cookbook = self
        cookbook.owner = owner
        return cookbook
    }
}
