internal import HTTPTypes
public import Hummingbird

/// Refuses bodies with a `Content-Encoding`: none is decoded, and to take one as it is would store something else than was
/// meant.
public struct ContentEncodingMiddleware<Context: RequestContext>: RouterMiddleware {
    public init() {}

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" else {
            return try await next(request, context)
        }
        throw Problem(
            .unsupportedMediaType, "Send the body without Content-Encoding.",
            headers: [.acceptEncoding: "identity"], closesConnection: true)
    }
}
