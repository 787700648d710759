internal import HTTPTypes
internal import Hummingbird

/// Adds the fields of the ``RateLimiter`` to responses, outside of the cache, which has responses of other callers.
struct RateFieldsMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in context.account.rateFields { response.headers[field.name] = field.value }
        return response
    }
}
