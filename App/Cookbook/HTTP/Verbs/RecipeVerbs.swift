internal import CookbookDomain
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// Actions on a recipe other than changing it: cook, rate.
struct RecipeVerbs: Sendable {
    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.post("recipes/{id}/cook", use: cook)
        router.post("recipes/{id}/rate", use: rate)
    }

    private func cook(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let recipe: EntityID<Recipe> = try context.id("id")
        return try await service.posting(request, context, changing: recipe.rawValue) { cookbook in
            try cookbook.sessions.requirePermission(for: .creating)
        } _: { cookbook, body in
            let user = try cookbook.requireUser(to: "cook")
            var fields = JSONFields(body)
            let wanted = fields.id("cookbook", of: Cookbook.self)
            let repetitions = fields.integer("repetitions") ?? 1
            try fields.check()
            let outcome = try await cookbook.cookRecipe.execute(
                .init(
                    user: user.id, recipe: recipe, cookbook: try await Self.cookbook(wanted, of: user, in: cookbook),
                    repetitions: repetitions))
            let session = Stored(outcome.session, version: 1)
            return try .json(
                SessionResource.represent([session], in: cookbook)[0].json, status: .created,
                tag: EntityTag(SessionResource.fingerprint, version: session.version),
                location: "/v1/\(SessionResource.name)/\(session.id)")
        }
    }

    /// The named cookbook; otherwise the user's only one.
    private static func cookbook(
        _ named: EntityID<Cookbook>?, of user: User, in cookbook: OpenCookbook
    ) async throws -> EntityID<Cookbook> {
        if let named { return named }
        let owned = try await cookbook.cookbooks.owned(by: user.id)
        if owned.count == 1 { return owned[0].id }
        let detail = owned.isEmpty ? "is required: you have no cookbook" : "is required: you have \(owned.count)"
        throw InvalidFields([FieldError(pointer: "/cookbook", detail: detail)])
    }

    private func rate(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let recipe: EntityID<Recipe> = try context.id("id")
        return try await service.posting(request, context, changing: recipe.rawValue) { cookbook in
            try cookbook.recipes.requirePermission(for: .changing, recipe)
        } _: { cookbook, body in
            var fields = JSONFields(body)
            let rating = try fields.check(fields.requiredInteger("rating"))
            let saved = try await cookbook.rateRecipe.execute(.init(recipe: recipe, rating: rating))
            return try .json(
                .object([
                    .init("recipe", .string(recipe.description)),
                    .init("rating", .integer(Int64(saved.stored.rating))),
                ]))
        }
    }
}

/// Merges two tags into one.
struct MergeTagsRoute: Sendable {
    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.post("tags/merge", use: merge)
    }

    private func merge(_ request: Request, _ context: CookbookContext) async throws -> Response {
        try await service.posting(request, context) { cookbook in
            try cookbook.tags.requirePermission(for: .changing)
        } _: { cookbook, body in
            var fields = JSONFields(body)
            let source = fields.requiredID("source", of: Tag.self)
            let target = fields.requiredID("target", of: Tag.self)
            let (from, into) = try fields.check(source, target)
            let count = try await cookbook.mergeTags.execute(.init(from, into: into))
            return try .json(.object([.init("recipes", .integer(Int64(count)))]))
        }
    }
}

/// The caller: the user of the token, and the token without its secret.
struct MeRoute: Sendable {
    let service: CookbookService
    let tokens: AccessTokens

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("me", use: read)
    }

    private func read(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.scope(for: context, isPrivate: true)
        try QueryParameters(request).finish()
        // The token may have been revoked since the request was authenticated.
        guard let user = context.caller?.user, let secret = context.token,
            let token = try await tokens.check(secret).token
        else { throw Problem.unauthenticated("The token is invalid; use a valid one.") }
        let shown = UserResource.represent([Stored(user, version: 1)], in: cookbook)[0]
        return .json(
            .object([.init("user", shown.json), .init("token", .object(token.members))]),
            headers: [.cacheControl: "no-store"])
    }
}
