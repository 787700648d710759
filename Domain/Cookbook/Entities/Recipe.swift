public import LarderDomain

/// A recipe with its steps and ingredients, which it owns, and references to its tags.
public struct Recipe: Entity {
    /// The default difficulty.
    public static let usualDifficulty = 3
    /// The maximum number of tags.
    public static let maximumTags = 1_000
    /// The maximum numbers of steps and of ingredients.
    public static let maximumParts = 1_000
    /// The maximum code points of ``summary``.
    public static let maximumSummary = 10_000
    /// The maximum code points of ``name``, ``author`` and ``yield``.
    public static let maximumLine = 200
    /// The maximum of ``preparationMinutes`` and of ``cookingMinutes``: a year.
    public static let maximumMinutes = 525_600

    /// The recipe.
    public let id: EntityID<Recipe>
    /// 1 to 200 characters.
    public let name: String
    /// A description, up to 10,000 characters.
    public let summary: String?
    /// The author, up to 200 characters.
    public let author: String?
    /// The day of publication.
    public let published: CalendarDay?
    /// From 1 (simple) to 5.
    public let difficulty: Int
    /// From 0, which means "not rated", to 5.
    public internal(set) var rating: Int
    /// The preparation time in minutes, up to a year.
    public let preparationMinutes: Int?
    /// The cooking time in minutes, up to a year.
    public let cookingMinutes: Int?
    /// The yield, up to 200 characters: "2-3", "12 pieces".
    public let yield: String?
    /// Whether the recipe has been cooked.
    public internal(set) var completed: Bool
    /// Its photo, which is deleted with the recipe.
    public internal(set) var photo: EntityID<Photo>?
    /// The identifier that the source has for the recipe, up to 2,000 characters, unique.
    public let sourceIdentifier: String?
    /// The time of its creation.
    public let createdAt: Timestamp
    /// The owner; `nil` for a recipe without an owner.
    public internal(set) var owner: EntityID<User>?
    /// The steps, in order; at most 1,000.
    public let steps: [Step]
    /// The ingredients, in order; at most 1,000.
    public let ingredients: [Ingredient]
    /// The tags, in order, distinct; at most ``maximumTags``.
    public internal(set) var tags: [EntityID<Tag>]

    /// Makes a recipe.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming a field that is out of range or contains a duplicate.
    public init(
        id: EntityID<Recipe>, name: String, summary: String? = nil, author: String? = nil,
        published: CalendarDay? = nil, difficulty: Int = usualDifficulty, rating: Int = 0,
        preparationMinutes: Int? = nil,
        cookingMinutes: Int? = nil, yield: String? = nil, completed: Bool = false, photo: EntityID<Photo>? = nil,
        sourceIdentifier: String? = nil, createdAt: Timestamp, owner: EntityID<User>? = nil, steps: [Step] = [],
        ingredients: [Ingredient] = [], tags: [EntityID<Tag>] = [], limits: TextLimits = .current
    ) throws(InvalidField) {
        let check = FieldCheck(Recipe.self, limits)
        self.id = id
        self.name = try check.text(name, "name", atMost: Self.maximumLine)
        self.summary = try check.text(summary, "summary", atMost: Self.maximumSummary)
        self.author = try check.text(author, "author", atMost: Self.maximumLine)
        self.published = published
        self.difficulty = difficulty
        self.rating = rating
        self.preparationMinutes = preparationMinutes
        self.cookingMinutes = cookingMinutes
        self.yield = try check.text(yield, "yield", atMost: Self.maximumLine)
        self.completed = completed
        self.photo = photo
        self.sourceIdentifier = try check.text(sourceIdentifier, "sourceIdentifier", atMost: 2_000)
        self.createdAt = createdAt
        self.owner = owner
        self.steps = steps
        self.ingredients = ingredients
        self.tags = tags
        try self.check()
    }

    /// Checks all fields except texts.
    func check() throws(InvalidField) {
        let check = FieldCheck(Recipe.self)
        try check.number(difficulty, "difficulty", in: 1...5)
        try check.number(rating, "rating", in: 0...5)
        try check.number(preparationMinutes, "preparationMinutes", in: 0...Self.maximumMinutes)
        try check.number(cookingMinutes, "cookingMinutes", in: 0...Self.maximumMinutes)
        try check.distinct(steps.map(\.id), "steps", atMost: Self.maximumParts)
        try check.distinct(ingredients.map(\.id), "ingredients", atMost: Self.maximumParts)
        try check.distinct(tags, "tags", atMost: Self.maximumTags)
    }
}

extension Recipe {
    /// The total time in minutes, from the known parts; `nil` if neither is known.
    public var totalMinutes: Int? {
        guard preparationMinutes != nil || cookingMinutes != nil else { return nil }
        return (preparationMinutes ?? 0) + (cookingMinutes ?? 0)
    }

    /// The identifier for other systems: the source's identifier, else the id.
    public var outsideIdentifier: String { Self.outsideIdentifier(sourceIdentifier, id) }

    static func outsideIdentifier(_ source: String?, _ id: EntityID<Recipe>) -> String {
        source ?? idPrefix + id.description
    }

    /// The id in an identifier that was made of an id; `nil` for a source's identifier.
    public static func id(inOutsideIdentifier identifier: String) -> EntityID<Recipe>? {
        guard identifier.hasPrefix(idPrefix) else { return nil }
        return EntityID(String(identifier.dropFirst(idPrefix.count)))
    }

    private static let idPrefix = "urn:uuid:"
}
