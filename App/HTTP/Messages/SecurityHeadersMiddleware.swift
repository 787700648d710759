internal import HTTPTypes
public import Hummingbird

/// Tells browsers to take every answer for what it says it is, and to load, embed and follow nothing unless a page says
/// otherwise.
public struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    public init() {}

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let policy = response.headers[.contentSecurityPolicy]
        for field in HTTPFields.cautions { response.headers[field.name] = field.value }
        if let policy { response.headers[.contentSecurityPolicy] = policy }
        return response
    }
}

extension HTTPFields {
    /// What every answer carries. An answer that is opened by itself is shown and nothing else: it has no origin, runs
    /// nothing and loads nothing.
    static let cautions: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "no-referrer",
        .crossOriginResourcePolicy: "same-origin",
        .contentSecurityPolicy:
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    ]
}

extension HTTPField.Name {
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }

    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
}
