internal import HTTPTypes
public import Hummingbird

/// Tells browsers to take every answer for what it says it is, and to load, embed and follow nothing unless a page says
/// otherwise.
public struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Makes the middleware.
    public init() {}

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        return response
    }
}

extension HTTPField.Name {
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }

    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
}
