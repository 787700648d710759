internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// A list of recipes without ingredients, steps and tags, by a read model. The parameters are those of the list of whole
/// recipes.
struct LinesRoute: Sendable {
    static let path = "\(RecipeResource.name)/lines"

    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("\(Self.path)", use: lines)
    }

    private func lines(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.scope(for: context, isPrivate: false)
        var parameters = try QueryParameters(request)
        let wanted = try PageParameters(&parameters)
        let filter = try RecipeResource.filter(from: &parameters)
        try parameters.finish()
        return try await service.lists.pass {
            let page = try await cookbook.recipes.lines(RecipeResource.request(filter, wanted))
            let items = page.items.map(JSON.line)
            let bytes = JSON.object([.init("items", .array(items))] + page.listMembers).bytes()
            let tag = EntityTag(bytes)
            if try Preconditions(request).isNotModified(tag) { return .notModified(tag) }
            let link = PageParameters.link(
                parameters, to: page.next, previous: page.previous, path: "/v1/\(Self.path)")
            return .json(bytes: bytes, tag: tag, headers: link)
        }
    }
}

extension JSON {
    fileprivate static func line(_ line: RecipeLine) -> JSON {
        .object([
            .init("id", .string(line.id.description)),
            .init("name", .string(line.name)),
            .init("totalMinutes", line.totalMinutes.map(\.json) ?? .null),
            .init("rating", line.rating.json),
            .init("photo", line.photo == nil ? .null : .string("/v1/recipes/\(line.id)/photo")),
            .init("sourceIdentifier", line.sourceIdentifier.map(JSON.string) ?? .null),
            .init("ingredients", line.ingredients.json),
            .init("steps", line.steps.json),
        ])
    }
}
