internal import CookbookDomain
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// The tokens of a user: admins make and take them back.
struct TokenRoutes: Sendable {
    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("users/{id}/tokens", use: list)
        router.post("users/{id}/tokens", use: issue)
        router.post("users/{id}/tokens/{token}/revoke", use: revoke)
    }

    private func list(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: true)
        var parameters = try QueryParameters(request)
        let wanted = try PageParameters(&parameters)
        try parameters.finish()
        let user = try await user(context, in: cookbook)
        let page = try await cookbook.tokens.page(
            of: user.rawValue, limit: wanted.limit, after: wanted.after, includesTotal: wanted.includesTotal)
        let items = page.entities.map { JSON.object(Self.members(of: $0)) }
        var headers = ResourceRoutes<UserResource>.link(
            parameters, to: page.next, path: "/v1/\(UserResource.name)/\(user)/tokens")
        headers[.cacheControl] = "no-store"
        return .json(.object([.init("items", .array(items))] + page.listMembers), headers: headers)
    }

    /// The one answer that shows a secret. It is kept under no key.
    private func issue(_ request: Request, _ context: CookbookContext) async throws -> Response {
        try service.refuseIdempotencyKey(request, "an answer that shows a secret is not kept.")
        return try await service.posting(request, context) { cookbook, body in
            let user = try await user(context, in: cookbook)
            var fields = JSONFields(body)
            let label = fields.requiredString("label")
            let days = fields.integer("days") ?? 90
            if !(1...365).contains(days) { fields.note("days", "must be 1 to 365") }
            let (secret, token) = try await cookbook.tokens.issue(
                to: user.rawValue, label: try fields.check(label), lifetime: .seconds(86_400 * days))
            return try .json(
                .object(Self.members(of: token) + [.init("token", .string(secret.text))]), status: .created)
        }
    }

    private func revoke(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: true)
        let user = try await user(context, in: cookbook)
        let id: EntityID<AccessToken> = try context.id("token")
        guard try await cookbook.tokens.read(id)?.subject == user.rawValue else {
            throw PersistencyError.notFound(EntityReference(id))
        }
        try await cookbook.tokens.revoke(id)
        return Response(status: .noContent)
    }

    /// Whose tokens they are: somebody whom the caller may see, and an admin alone may give tokens.
    private func user(_ context: CookbookContext, in cookbook: OpenCookbook) async throws -> EntityID<User> {
        let user = try await cookbook.users.require(try context.id("id"))
        guard context.caller.isAdmin else { throw Problem(.forbidden, "Tokens are for admins to make and take back.") }
        return user.id
    }

    static func members(of token: AccessToken) -> [JSON.Member] {
        [
            .init("id", .string(token.id.description)),
            .init("label", .string(token.label)),
            .init("createdAt", .string(token.createdAt.description)),
            .init("expiresAt", .string(token.expiresAt.description)),
            .init("revokedAt", token.revokedAt.map { .string($0.description) } ?? .null),
        ]
    }
}
