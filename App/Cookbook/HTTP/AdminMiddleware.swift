internal import CookbookDomain
internal import Hummingbird
internal import LarderHTTP

/// Lets admins through and nobody else.
struct AdminMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: CookbookContext,
        next: @concurrent (Request, CookbookContext) async throws -> Response
    ) async throws -> Response {
        guard context.caller.isKnown else { throw Problem.unknownCaller("Send an admin's token.") }
        guard context.caller.isAdmin else { throw Problem(.forbidden, "This is for admins.") }
        return try await next(request, context)
    }
}
