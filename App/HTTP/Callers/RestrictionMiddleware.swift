internal import Hummingbird

/// Refuses restricted tokens, on all routes except those of the permissions that a token can be restricted to.
struct RestrictionMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        if let restriction = context.restriction { throw restriction.problem }
        return try await next(request, context)
    }
}
