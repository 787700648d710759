internal import LarderHTTP

extension RecipeResource {
    static let members: [ResourceMember] = [
        .id,
        .init("name", .text(200), .required),
        .init("summary", .text(10_000), .optional, "What it is."),
        .init("author", .text(200), .optional, "Who wrote it."),
        .init("published", .day, .optional, "The day on which it was published, in years 1 to 9999."),
        .init("difficulty", .integer(1...5), .defaulted, "From 1, simple, to 5; by default 3."),
        .init("rating", .integer(0...5), .defaulted, "From 1 to 5; 0, the default, means not rated."),
        .init("preparationMinutes", .integer(0...525_600), .optional, "Minutes until it can be cooked."),
        .init("cookingMinutes", .integer(0...525_600), .optional, "Minutes that it cooks."),
        .init(
            "totalMinutes", .integer(0...1_051_200), .optionalReadOnly,
            "Minutes from the beginning to the end, as far as they are known."),
        .init("yield", .text(200), .optional, "How much it makes: 12 pieces."),
        .init("completed", .flag, .defaulted, "Whether somebody has cooked it; by default false."),
        .init("photo", .string(pattern: "^/v1/recipes/[0-9a-f-]{36}/photo$"), .optionalReadOnly, "Where its photo is."),
        .init("sourceIdentifier", .text(2_000), .optional, "The name that its source has for it; taken once."),
        .init("createdAt", .instant, .readOnly, "When it was stored first."),
        .init(
            "owner", .id, .optional,
            "A user, or null for nobody: by default the caller, or the owner that it has. Only admins change the owner."
        ),
        .init("steps", .objects("Step", atMost: 1_000, steps), .defaulted, "What to do, in order; none twice."),
        .init(
            "ingredients", .objects("Ingredient", atMost: 1_000, ingredients), .defaulted,
            "What is needed, in order; none twice."),
        .init(
            "tags", .objects("TagOfRecipe", atMost: 1_000, isSet: true, tags), .defaulted,
            "What it is found by, in order; none twice."),
    ]

    private static let steps: [ResourceMember] = [
        .init("id", .partID, .defaulted, "Continues this step of the recipe; any other is new."),
        .init("text", .text(10_000), .required, "What to do."),
        .init("timerSeconds", .integer(1...2_592_000), .optional, "How long a timer runs for it, up to 30 days."),
    ]

    private static let ingredients: [ResourceMember] = [
        .init("id", .partID, .defaulted, "Continues this ingredient of the recipe; any other is new."),
        .init("text", .text(1_000), .required, "The whole line as its author wrote it."),
        .init("quantity", .number(atLeast: 0), .optional, "How much of it, in the unit; finite."),
        .init("unit", .text(50), .optional, "What the quantity counts: g."),
        .init("brand", .id, .optional, "The brand that it should be of."),
    ]

    private static let tags: [ResourceMember] = [
        .init("id", .partID, .required, "An existing tag."), .init("name", .text(100), .readOnly),
    ]
}
