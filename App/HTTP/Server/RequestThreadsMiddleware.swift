internal import HTTPTypes
internal import Hummingbird

/// Handles requests on ``RequestThreads``, including the production of bodies that are sent in pieces.
struct RequestThreadsMiddleware<Context: ServiceContext>: RouterMiddleware {
    var threads = RequestThreads.shared

    @concurrent func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await withTaskExecutorPreference(threads) { try await next(request, context) }
        guard response.body.contentLength == nil else { return response }
        let (body, threads) = (response.body, threads)
        response.body = ResponseBody { writer in
            let base = writer
            try await withTaskExecutorPreference(threads) { try await body.write(base) }
        }
        return response
    }
}
