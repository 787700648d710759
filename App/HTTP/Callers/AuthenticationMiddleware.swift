internal import HTTPTypes
public import Hummingbird

/// Identifies the caller of each request. An invalid token is refused even where no token is required, because its
/// sender expects to be identified.
public struct AuthenticationMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    private let authenticator: any Authenticator<Caller>
    /// Limits the rate of requests. One with an invalid token counts as anonymous.
    var rates: RateLimiter?

    /// Takes the authenticator.
    public init(_ authenticator: any Authenticator<Caller>) {
        self.authenticator = authenticator
    }

    /// Adds the caller, if there is one, to the context; refuses an invalid token with 401.
    public func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let field = request.headers.value(.authorization) {
            do {
                try await identify(&context, by: Self.token(field))
            } catch let problem as Problem where problem.kind == .unauthorized {
                try rates?.admit(nil, context.account)
                throw problem
            }
        }
        try rates?.admit(context.caller?.key, context.account)
        return try await next(request, context)
    }

    private func identify(_ context: inout CallerContext<Caller>, by token: String) async throws {
        guard let found = try await authenticator.authenticate(token, logger: context.logger) else {
            throw Problem.unauthenticated("The token is invalid; use a valid one.")
        }
        (context.token, context.caller, context.restriction) = (token, found.caller, found.restriction)
    }

    private static func token(_ field: String) throws(Problem) -> String {
        let parts = field.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unauthenticated("Authorization must have the form: Bearer TOKEN.")
        }
        return String(parts[1])
    }
}
