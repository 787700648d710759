internal import HTTPTypes
internal import Hummingbird

/// Permits pages of other origins to send requests and to read responses (CORS). Cookies are not permitted.
///
/// Place it outside of caches: the fields depend on the origin of the request.
struct OriginMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let origins: Set<String>
    private let base: CORSMiddleware<Context>

    /// The fields of requests that pages may send, besides the safelisted ones.
    private static var sent: String {
        "Authorization Content-Type If-Match If-None-Match Idempotency-Key Last-Event-ID Store-Position X-Request-ID "
            + "traceparent"
    }
    /// The fields of responses that pages may read, besides the safelisted ones.
    private static var exposed: String {
        "ETag, Location, Link, Allow, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, "
            + "Idempotent-Replayed, Store-Position"
    }

    init(_ origins: [String]) {
        self.origins = Set(origins)
        base = CORSMiddleware(
            allowHeaders: Self.sent.split(separator: " ").compactMap { HTTPField.Name(String($0)) },
            allowMethods: [.get, .head, .post, .put, .patch, .delete], maxAge: .hours(1))
    }

    // Explicitly `@concurrent`: otherwise the closure could not be passed to the base.
    @concurrent func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Others get no field of CORS, so that browsers refuse them.
        guard let origin = request.headers[.origin], origins.contains(origin) else {
            var response = try await next(request, context)
            response.headers[values: .vary].append("Origin")
            return response
        }
        var response = try await base.handle(request, context: context, next: next)
        // The base adds it only to responses to preflights, where it has no effect.
        response.headers[.accessControlExposeHeaders] = Self.exposed
        guard request.method == .options else { return response }
        for field in HTTPFields.cautions { response.headers[field.name] = field.value }
        return response
    }
}
