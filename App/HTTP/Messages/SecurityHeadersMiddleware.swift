internal import HTTPTypes
public import Hummingbird

/// Makes browsers use the declared media type of every response, and load, embed and follow nothing unless a page
/// permits it.
public struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    private let pagePolicy: String?

    /// Makes the middleware.
    ///
    /// - Parameter pagePolicy: Replaces ``ServicePages/policy``, the content security policy of pages.
    public init(pagePolicy: String? = nil) {
        self.pagePolicy = pagePolicy
    }

    /// Adds the fields to the response, which may have a content security policy of its own.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let policy = response.headers[.contentSecurityPolicy]
        for field in HTTPFields.cautions { response.headers[field.name] = field.value }
        if let policy {
            response.headers[.contentSecurityPolicy] = policy == ServicePages.policy ? pagePolicy ?? policy : policy
        }
        return response
    }
}

extension HTTPFields {
    /// The header fields of every response. A response that is opened as a document is only displayed: it has no
    /// origin, runs no scripts and loads nothing.
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
