internal import CookbookDomain
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// The caller: the user that a token belongs to, and the token, without its secret.
struct MeRoute: Sendable {
    let service: CookbookService
    /// All tokens.
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
        else { throw Problem.unauthenticated("The token is not valid; get a new one.") }
        let shown = UserResource.represent([Stored(user, version: 1)], in: cookbook)[0]
        return .json(
            .object([.init("user", shown.json), .init("token", .object(token.members))]),
            headers: [.cacheControl: "no-store"])
    }
}
