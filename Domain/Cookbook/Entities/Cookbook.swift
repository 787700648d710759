public import LarderDomain

/// A user's own collection: the recipes that the user likes, and those that the user cooked.
public struct Cookbook: Entity {
    /// The most favourites, and the most entries of the history.
    public static let capacity = 10_000

    /// The cookbook.
    public let id: EntityID<Cookbook>
    /// Whose it is.
    public private(set) var owner: EntityID<User>
    /// 1 to 200 characters.
    public let name: String
    /// The recipes that the user likes, in order, none twice; at most 10,000.
    public private(set) var favourites: [EntityID<Recipe>]
    /// The recipes that were cooked, the last one last, as often as they were cooked; the last 10,000.
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
    /// The cookbook with a recipe among its favourites, last if it was not there.
    ///
    /// - Throws: `InvalidField` naming `favourites` when there is no room for another.
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

    /// The cookbook with a recipe at the end of its history. A full history loses its oldest entry, for a limit must not
    /// end the cooking.
    public func recording(_ recipe: EntityID<Recipe>) -> Cookbook {
        var cookbook = self
        cookbook.history.append(recipe)
        if cookbook.history.count > Self.capacity { cookbook.history.removeFirst() }
        return cookbook
    }

    /// The cookbook as somebody else's.
    public func owned(by owner: EntityID<User>) -> Cookbook {
        var cookbook = self
        cookbook.owner = owner
        return cookbook
    }
}
