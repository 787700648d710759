internal import CookbookData
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

/// Recipes over HTTP, with the names of their tags.
enum RecipeResource: Resource {
    static let name = "recipes"
    static let fingerprint = SchemaFingerprint(RecipeMapper.mapping.schema, members: members)
    static let isPrivate = false
    /// 8 MiB: a document of an import has 5 MiB at most, and is shown with the ids and names of its parts.
    static let largestBody = 8 << 20

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<Recipe> { erased(cookbook.recipes) }

    /// What to ask for, in which order.
    struct Filter: Sendable {
        let recipes: RecipeFilter
        let sort: RecipeSort
    }

    static func filter(from parameters: inout QueryParameters) throws -> Filter {
        let orders = RecipeSort.allCases.map(\.rawValue).joined(separator: ", ")
        let sort = try parameters.parsed("sort", "one of \(orders)", RecipeSort.init(rawValue:))
        return Filter(recipes: try recipeFilter(from: &parameters), sort: sort ?? .name)
    }

    /// The most tags that a list can be filtered by, so that the address of the next page is short enough.
    private static let mostTags = 100

    /// Takes the parameters that say which recipes.
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
        try await cookbook.recipes.list(
            RecipeListRequest(
                filter.recipes, sort: filter.sort, limit: page.limit, after: page.after,
                includesTotal: page.includesTotal))
    }

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
