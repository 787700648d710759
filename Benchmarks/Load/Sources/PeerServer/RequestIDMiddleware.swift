internal import HTTPTypes
internal import Hummingbird

/// Repeats the request's `X-Request-ID` in the response, or makes one.
struct RequestIDMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: PeerContext, next: (Request, PeerContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        if let name = Self.name { response.headers[name] = request.headers[name] ?? context.id }
        return response
    }

    private static let name = HTTPField.Name("X-Request-ID")
}
