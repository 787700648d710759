internal import HTTPTypes
internal import Hummingbird

/// The routes of recipes: everybody may read, users with a token may change.
struct RecipeRoutes: Sendable {
    let recipes: RecipeRepository
    let tokens: TokenMiddleware

    func add(to router: Router<PeerContext>) {
        router.group("v1/recipes")
            .get(use: list)
            .get("{id}", use: read)
        router.group("v1/recipes").add(middleware: tokens)
            .put("{id}", use: replace)
            .post("{id}/rate", use: rate)
    }

    private func list(_ request: Request, _ context: PeerContext) async throws -> RecipePage {
        let parameters = request.uri.queryParameters
        guard let order = RecipeOrder(rawValue: parameters.get("sort") ?? "name") else { throw HTTPError(.badRequest) }
        func number(_ name: String, otherwise number: Int) throws -> Int {
            parameters.get(name) == nil ? number : try parameters.require(name, as: Int.self)
        }
        let (limit, offset) = (try number("limit", otherwise: 50), try number("after", otherwise: 0))
        guard 1...200 ~= limit, offset >= 0 else { throw HTTPError(.badRequest) }
        return try await recipes.page(
            order, limit: limit, offset: offset, includesTotal: parameters.get("total") == "true")
    }

    private func read(_ request: Request, _ context: PeerContext) async throws -> Response {
        let full = try await recipes.read(try context.parameters.require("id"))
        if request.headers[.ifNoneMatch] == full.recipe.tag {
            return Response(status: .notModified, headers: [.eTag: full.recipe.tag])
        }
        return try response(full, request, context)
    }

    private func replace(_ request: Request, _ context: PeerContext) async throws -> Response {
        guard let tag = request.headers[.ifMatch] else { throw HTTPError(.preconditionRequired) }
        let body = try await request.decode(as: RecipeBody.self, context: context)
        try body.check()
        let full = try await recipes.replace(
            try context.parameters.require("id"), with: body, matching: tag, by: try user(context))
        return try response(full, request, context)
    }

    private func rate(_ request: Request, _ context: PeerContext) async throws -> Rated {
        let id = try context.parameters.require("id")
        let body = try await request.decode(as: Rating.self, context: context)
        try RecipeBody.check("rating", body.rating, in: 0...5)
        try await recipes.rate(id, body.rating, by: try user(context))
        return Rated(recipe: id, rating: body.rating)
    }

    private func user(_ context: PeerContext) throws -> User {
        guard let user = context.user else { throw HTTPError(.unauthorized) }
        return user
    }

    private func response(_ full: FullRecipe, _ request: Request, _ context: PeerContext) throws -> Response {
        var response = try RecipeView(full).response(from: request, context: context)
        response.headers[.eTag] = full.recipe.tag
        return response
    }
}

private struct Rating: Decodable {
    let rating: Int
}

private struct Rated: ResponseEncodable {
    let recipe: String
    let rating: Int
}
