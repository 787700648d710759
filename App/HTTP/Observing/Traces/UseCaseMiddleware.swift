internal import Hummingbird
internal import Tracing

/// Makes a span of the work of a route, which is a use case: without authentication, waiting, and sending the response.
struct UseCaseMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    let spans: Spans

    func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        let route = context.endpointPath ?? "none"
        return try await spans.span("use case \(request.method.label) \(route)") { _ in
            try await next(request, context)
        }
    }
}
