public import LarderDomain

/// A recipe with its steps and ingredients, which it owns, and the tags that it refers to.
public struct Recipe: Entity {
    /// The difficulty of a recipe of which nobody said anything.
    public static let usualDifficulty = 3
    /// The most tags.
    public static let maximumTags = 1_000

    /// The recipe.
    public let id: EntityID<Recipe>
    /// 1 to 200 characters.
    public let name: String
    /// What it is, up to 10,000 characters.
    public let summary: String?
    /// Who wrote it, up to 200 characters.
    public let author: String?
    /// The day on which it was published.
    public let published: CalendarDay?
    /// From 1, simple, to 5.
    public let difficulty: Int
    /// From 0, which also stands for "not rated", to 5.
    public internal(set) var rating: Int
    /// Minutes until it can be cooked, up to a year.
    public let preparationMinutes: Int?
    /// Minutes that it cooks, up to a year.
    public let cookingMinutes: Int?
    /// How much it makes, up to 200 characters: "2-3", "12 pieces".
    public let yield: String?
    /// Whether somebody has cooked it.
    public internal(set) var completed: Bool
    /// Its photo, which goes with the recipe.
    public internal(set) var photo: EntityID<Photo>?
    /// Where it came from: the name that its source has for it, up to 2,000 characters, unique.
    public let sourceIdentifier: String?
    /// When it was stored first.
    public let createdAt: Timestamp
    /// Whose it is; `nil` for one that nobody in particular brought in.
    public internal(set) var owner: EntityID<User>?
    /// What to do, in order; at most 1,000.
    public let steps: [Step]
    /// What is needed, in order; at most 1,000.
    public let ingredients: [Ingredient]
    /// What it is found by, in order, none twice; at most ``maximumTags``.
    public internal(set) var tags: [EntityID<Tag>]

    /// Makes a recipe.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming a field that is out of its range, or has something twice.
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
        self.name = try check.text(name, "name", atMost: 200)
        self.summary = try check.text(summary, "summary", atMost: 10_000)
        self.author = try check.text(author, "author", atMost: 200)
        self.published = published
        self.difficulty = difficulty
        self.rating = rating
        self.preparationMinutes = preparationMinutes
        self.cookingMinutes = cookingMinutes
        self.yield = try check.text(yield, "yield", atMost: 200)
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

    /// Checks all that is no text.
    func check() throws(InvalidField) {
        let check = FieldCheck(Recipe.self)
        try check.number(difficulty, "difficulty", in: 1...5)
        try check.number(rating, "rating", in: 0...5)
        try check.number(preparationMinutes, "preparationMinutes", in: 0...525_600)
        try check.number(cookingMinutes, "cookingMinutes", in: 0...525_600)
        try check.distinct(steps.map(\.id), "steps", atMost: 1_000)
        try check.distinct(ingredients.map(\.id), "ingredients", atMost: 1_000)
        try check.distinct(tags, "tags", atMost: Self.maximumTags)
    }
}

extension Recipe {
    /// The name for searches that do not regard case.
    public var foldedName: String { name.lowercased() }

    /// Minutes from the beginning to the end, as far as they are known; `nil` when neither part is.
    public var totalMinutes: Int? {
        guard preparationMinutes != nil || cookingMinutes != nil else { return nil }
        return (preparationMinutes ?? 0) + (cookingMinutes ?? 0)
    }

    /// What it is called outside this store: by the name that its source has for it, else by its id.
    public var outsideIdentifier: String { sourceIdentifier ?? Self.idPrefix + id.description }

    /// The recipe that an outside identifier made of an id names; `nil` for one that a source gave.
    public static func id(inOutsideIdentifier identifier: String) -> EntityID<Recipe>? {
        guard identifier.hasPrefix(idPrefix) else { return nil }
        return EntityID(String(identifier.dropFirst(idPrefix.count)))
    }

    private static let idPrefix = "urn:uuid:"
}
