public import Hummingbird

/// Refuses callers that are not operators of the service.
public struct OperatorMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    private let role: String

    /// - Parameter role: The name of an operator in problems, with its article: `an admin`.
    public init(role: String) {
        self.role = role
    }

    public func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        guard let caller = context.caller else { throw Problem.unauthenticated("Send the token of \(role).") }
        guard caller.isOperator else { throw Problem(.forbidden, "Only \(role) may do this.") }
        return try await next(request, context)
    }
}
