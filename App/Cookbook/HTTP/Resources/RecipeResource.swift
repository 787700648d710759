internal import CookbookData
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

/// Recipes over HTTP, with the names of their tags.
enum RecipeResource: Resource {
    static let name = "recipes"
    static let fingerprint = SchemaFingerprint(
        RecipeMapper.mapping.schema, members: members, evolution: CookbookMappers.evolution)
    static let isPrivate = false
    /// 8 MiB: an import document has at most 5 MiB, and the response adds the ids and names of its parts.
    static let largestBody = 8 << 20

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<Recipe> { cookbook.recipes.erased }

    /// The filter and the order of a list.
    struct Filter: Sendable {
        let recipes: RecipeFilter
        let search: String?
        let sort: RecipeSort
    }

    static func filter(from parameters: inout QueryParameters) throws -> Filter {
        let orders = RecipeSort.allCases.map(\.rawValue).joined(separator: ", ")
        let sort = try parameters.parsed("sort", "one of \(orders)", RecipeSort.init(rawValue:))
        let search = try parameters.text("search", atMost: 200)
        if search != nil, sort != nil {
            throw Problem.badRequest("A search has its own order: omit the query parameter 'sort'.")
        }
        return Filter(recipes: try recipeFilter(from: &parameters), search: search, sort: sort ?? .name)
    }

    /// The maximum number of tags in a filter, which bounds the length of the next page's URL.
    private static let mostTags = 100

    /// Reads the filter from the parameters.
    static func recipeFilter(from parameters: inout QueryParameters) throws -> RecipeFilter {
        let tags = try parameters.parsed("tag", "1 to \(mostTags) ids of tags, joined by commas") { text in
            let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { EntityID<Tag>(String($0)) }
            return ids.contains(nil) || ids.count > mostTags ? nil : ids.compactMap(\.self)
        }
        return RecipeFilter(
            anyOfTags: tags, underMinutes: try parameters.integer("under", in: 0...1_051_201),
            nameContains: try parameters.text("name", atMost: 200),
            ownedBy: try parameters.parsed("owner", "a user's id", EntityID<User>.init))
    }

    static func page(
        _ filter: Filter, _ page: PageParameters, in cookbook: OpenCookbook
    ) async throws -> QueryPage<Recipe> {
        try await cookbook.recipes.list(request(filter, page))
    }

    static func request(_ filter: Filter, _ page: PageParameters) -> RecipeListRequest {
        RecipeListRequest(
            filter.recipes, search: filter.search, sort: filter.sort, limit: page.limit, byteLimit: page.byteLimit,
            after: page.after, before: page.before, includesTotal: page.includesTotal)
    }

    static var keepsRepresentations: Bool { true }

    static func represent(
        _ items: [Stored<Recipe>], in cookbook: OpenCookbook
    ) async throws -> [Representation] {
        let ids = items.count == 1 ? items[0].tags : Array(Set(items.flatMap(\.tags)))
        let tags = ids.isEmpty ? [] : try await cookbook.tags.read(ids)
        let byID = Dictionary(tags.map { ($0.id, $0) }) { first, _ in first }
        return items.map { item in
            let tags = item.tags.compactMap { byID[$0] }
            return Representation(
                json: .recipe(item.entity, tags: tags.map(\.entity)), others: tags.map { "\($0.id) \($0.version)" })
        }
    }
}

extension JSON {
    fileprivate static func recipe(_ recipe: Recipe, tags: [Tag]) -> JSON {
        .object([
            .init("id", .string(recipe.id.description)),
            .init("name", .string(recipe.name)),
            .init("summary", .text(recipe.summary)),
            .init("author", .text(recipe.author)),
            .init("published", .text(recipe.published?.description)),
            .init("difficulty", .integer(Int64(recipe.difficulty))),
            .init("rating", .integer(Int64(recipe.rating))),
            .init("preparationMinutes", .integer(recipe.preparationMinutes)),
            .init("cookingMinutes", .integer(recipe.cookingMinutes)),
            .init("totalMinutes", .integer(recipe.totalMinutes)),
            .init("yield", .text(recipe.yield)),
            .init("completed", .bool(recipe.completed)),
            .init("photo", recipe.photo == nil ? .null : .string("/v1/recipes/\(recipe.id)/photo")),
            .init("sourceIdentifier", .text(recipe.sourceIdentifier)),
            .init("createdAt", .string(recipe.createdAt.description)),
            .init("owner", .text(recipe.owner?.description)),
            .init("steps", .array(recipe.steps.map(step))),
            .init("ingredients", .array(recipe.ingredients.map(ingredient))),
            .init("tags", .array(tags.map(tag))),
        ])
    }

    private static func step(_ step: Step) -> JSON {
        .object([
            .init("id", .string(step.id.description)),
            .init("text", .string(step.text)),
            .init("timerSeconds", .integer(step.timerSeconds)),
        ])
    }

    private static func ingredient(_ ingredient: Ingredient) -> JSON {
        .object([
            .init("id", .string(ingredient.id.description)),
            .init("text", .string(ingredient.text)),
            .init("quantity", ingredient.quantity.map(JSON.number) ?? .null),
            .init("unit", .text(ingredient.unit)),
            .init("brand", .text(ingredient.brand?.description)),
        ])
    }

    private static func tag(_ tag: Tag) -> JSON {
        .object([.init("id", .string(tag.id.description)), .init("name", .string(tag.name))])
    }

    private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    private static func integer(_ number: Int?) -> JSON { number.map { .integer(Int64($0)) } ?? .null }
}

extension RecipeResource {
    static func entity(
        from fields: inout JSONFields, replacing old: Recipe?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> Recipe {
        let name = fields.requiredString("name")
        let summary = fields.string("summary")
        let author = fields.string("author")
        let published = fields.parsed("published", "must be a day, such as 2026-03-01", CalendarDay.init)
        let difficulty = fields.integer("difficulty") ?? Recipe.usualDifficulty
        let rating = fields.integer("rating") ?? 0
        let preparation = fields.integer("preparationMinutes")
        let cooking = fields.integer("cookingMinutes")
        let yield = fields.string("yield")
        let completed = fields.bool("completed") ?? false
        let source = fields.string("sourceIdentifier")
        let owner = owner(from: &fields, old, cookbook)
        let steps = steps(from: &fields, old?.steps ?? [], cookbook.ids)
        let ingredients = ingredients(from: &fields, old?.ingredients ?? [], cookbook.ids)
        let tags = fields.objects("tags") { $0.requiredID("id", of: Tag.self) } ?? []
        return try fields.make(name) { name throws(InvalidField) in
            try Recipe(
                id: old?.id ?? cookbook.ids.next(), name: name, summary: summary, author: author,
                published: published, difficulty: difficulty, rating: rating, preparationMinutes: preparation,
                cookingMinutes: cooking, yield: yield, completed: completed, photo: old?.photo,
                sourceIdentifier: source, createdAt: old?.createdAt ?? cookbook.now(),
                owner: owner, steps: steps, ingredients: ingredients, tags: tags)
        }
    }

    /// Null means no owner; an absent member means the previous owner, or the caller for a new recipe.
    private static func owner(
        from fields: inout JSONFields, _ old: Recipe?, _ cookbook: OpenCookbook
    ) -> EntityID<User>? {
        guard !fields.isNull("owner") else { return nil }
        return fields.id("owner", of: User.self) ?? (old.map(\.owner) ?? cookbook.user?.id)
    }

    /// A step with the id of an existing step keeps its photo; any other step is new.
    private static func steps(from fields: inout JSONFields, _ old: [Step], _ ids: any IDGenerator) -> [Step] {
        let steps = fields.objects("steps") { fields -> Step? in
            let id = fields.id("id", of: Step.self)
            let text = fields.requiredString("text")
            let timer = fields.integer("timerSeconds")
            guard let text else { return nil }
            let continued = old.first { $0.id == id }
            return fields.made { () throws(InvalidField) in
                try Step(id: continued?.id ?? ids.next(), text: text, timerSeconds: timer, photo: continued?.photo)
            }
        }
        return steps ?? []
    }

    /// An ingredient with the id of an existing ingredient replaces it; any other ingredient is new.
    private static func ingredients(
        from fields: inout JSONFields, _ old: [Ingredient], _ ids: any IDGenerator
    ) -> [Ingredient] {
        let known = Set(old.map(\.id))
        let ingredients = fields.objects("ingredients") { fields -> Ingredient? in
            let id = fields.id("id", of: Ingredient.self).flatMap { known.contains($0) ? $0 : nil }
            let text = fields.requiredString("text")
            let quantity = fields.number("quantity")
            let unit = fields.string("unit")
            let brand = fields.id("brand", of: Brand.self)
            guard let text else { return nil }
            return fields.made { () throws(InvalidField) in
                try Ingredient(id: id ?? ids.next(), text: text, quantity: quantity, unit: unit, brand: brand)
            }
        }
        return ingredients ?? []
    }
}

extension RecipeResource {
    static let members: [ResourceMember] = [
        .id,
        .init("name", .text(200), .required),
        .init("summary", .text(10_000), .optional, "A short description."),
        .init("author", .text(200), .optional, "The author."),
        .init("published", .day, .optional, "The day on which it was published, in years 1 to 9999."),
        .init("difficulty", .integer(1...5), .defaulted, "From 1 (simple) to 5; default: 3."),
        .init("rating", .integer(0...5), .defaulted, "From 1 to 5; default: 0, not rated."),
        .init("preparationMinutes", .integer(0...525_600), .optional, "The preparation time in minutes."),
        .init("cookingMinutes", .integer(0...525_600), .optional, "The cooking time in minutes."),
        .init(
            "totalMinutes", .integer(0...1_051_200), .optionalReadOnly,
            "The sum of the known times, in minutes."),
        .init("yield", .text(200), .optional, "The yield, such as 12 pieces."),
        .init("completed", .flag, .defaulted, "Whether it has been cooked; default: false."),
        .init("photo", .string(pattern: "^/v1/recipes/[0-9a-f-]{36}/photo$"), .optionalReadOnly, "The photo's path."),
        .init("sourceIdentifier", .text(2_000), .optional, "The identifier in its source; unique."),
        .init("createdAt", .instant, .readOnly, "The time of creation."),
        .init(
            "owner", .id, .optional,
            "A user, or null; default: the caller, or the present owner. Only admins change the owner."
        ),
        .init("steps", .objects("Step", atMost: 1_000, steps), .defaulted, "The steps, in order, without duplicates."),
        .init(
            "ingredients", .objects("Ingredient", atMost: 1_000, ingredients), .defaulted,
            "The ingredients, in order, without duplicates."),
        .init(
            "tags", .objects("TagOfRecipe", atMost: 1_000, isSet: true, tags), .defaulted,
            "The tags, in order, without duplicates."),
    ]

    private static let steps: [ResourceMember] = [
        .init("id", .partID, .defaulted, "The id of an existing step; without it, the step is new."),
        .init("text", .text(10_000), .required, "The instruction."),
        .init("timerSeconds", .integer(1...2_592_000), .optional, "The duration of a timer, up to 30 days."),
    ]

    private static let ingredients: [ResourceMember] = [
        .init("id", .partID, .defaulted, "The id of an existing ingredient; without it, the ingredient is new."),
        .init("text", .text(1_000), .required, "The complete line of the author."),
        .init("quantity", .number(atLeast: 0), .optional, "The amount in the unit; finite."),
        .init("unit", .text(50), .optional, "The unit of the quantity, such as g."),
        .init("brand", .id, .optional, "The recommended brand."),
    ]

    private static let tags: [ResourceMember] = [
        .init("id", .partID, .required, "An existing tag."), .init("name", .text(100), .readOnly),
    ]
}
