internal import HTTPTypes
public import Hummingbird

/// Refuses bodies with a `Content-Encoding`: no encoding is decoded, and the encoded bytes must not be stored as the
/// content.
public struct ContentEncodingMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Makes the middleware.
    public init() {}

    /// Refuses an encoded body with 415.
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
