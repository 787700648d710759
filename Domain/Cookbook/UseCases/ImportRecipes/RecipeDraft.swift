public import LarderDomain

/// A recipe from another source. An absent value (`nil` or an empty list) leaves the stored value unchanged.
public struct RecipeDraft: Sendable, Equatable {
    /// The source's identifier, by which a repeated import recognises the recipe.
    public var sourceIdentifier: String
    /// The identity, name and author that an earlier version read from the same document, if any of them differs.
    public var former: FormerIdentity?
    /// See ``Recipe/name``.
    public var name: String
    /// See ``Recipe/summary``.
    public var summary: String?
    /// See ``Recipe/author``.
    public var author: String?
    /// See ``Recipe/published``.
    public var published: CalendarDay?
    /// See ``Recipe/preparationMinutes``.
    public var preparationMinutes: Int?
    /// See ``Recipe/cookingMinutes``.
    public var cookingMinutes: Int?
    /// See ``Recipe/yield``.
    public var yield: String?
    /// The steps in order.
    public var steps: [StepDraft] = []
    /// The ingredients in order.
    public var ingredients: [IngredientDraft] = []
    /// The names of its tags in order; other spellings of the same name are ignored.
    public var tags: [String] = []
    /// The rating and similar values; used only for a new recipe.
    public var judgement = Judgement()

    /// Makes a draft with only the required values.
    public init(sourceIdentifier: String, name: String) {
        self.sourceIdentifier = sourceIdentifier
        self.name = name
    }
}

extension RecipeDraft {
    /// A step of a draft.
    public struct StepDraft: Sendable, Equatable {
        /// See ``Step/text``.
        public var text: String
        /// See ``Step/timerSeconds``.
        public var timerSeconds: Int?

        /// Makes a step.
        public init(text: String, timerSeconds: Int? = nil) {
            self.text = text
            self.timerSeconds = timerSeconds
        }
    }

    /// An ingredient of a draft.
    public struct IngredientDraft: Sendable, Equatable {
        /// See ``Ingredient/text``.
        public var text: String
        /// See ``Ingredient/quantity``.
        public var quantity: Double?
        /// See ``Ingredient/unit``.
        public var unit: String?

        /// Makes an ingredient.
        public init(text: String, quantity: Double? = nil, unit: String? = nil) {
            self.text = text
            self.quantity = quantity
            self.unit = unit
        }
    }

    /// Values that users add to a recipe, not its source. A repeated import does not change them.
    public struct Judgement: Sendable, Equatable {
        /// See ``Recipe/difficulty``.
        public var difficulty: Int?
        /// See ``Recipe/rating``.
        public var rating: Int?
        /// See ``Recipe/completed``.
        public var completed: Bool?

        /// Makes the values; all are optional.
        public init(difficulty: Int? = nil, rating: Int? = nil, completed: Bool? = nil) {
            self.difficulty = difficulty
            self.rating = rating
            self.completed = completed
        }
    }
}
