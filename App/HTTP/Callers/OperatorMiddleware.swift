public import Hummingbird

/// Refuses callers, and tokens, without a permission of an operator, and logs the acts of others.
public struct OperatorMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    private let permission: OperatorPermission
    private let role: String

    /// - Parameters:
    ///   - permission: The permission that requests need.
    ///   - role: The name of an operator in problems, with its article: `an admin`.
    public init(_ permission: OperatorPermission, role: String) {
        (self.permission, self.role) = (permission, role)
    }

    /// Refuses an anonymous request with 401, and one without the permission with 403.
    public func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        guard let caller = context.caller else { throw Problem.unauthenticated("Send the token of \(role).") }
        guard caller.operatorPermissions.contains(permission) else {
            throw Problem(.forbidden, "Only \(role) may do this.")
        }
        if let restriction = context.restriction, !restriction.permissions.contains(permission) {
            throw restriction.problem
        }
        // Metrics are read all the time.
        if permission != .readMetrics, request.method != .head { context.note(act: permission.rawValue) }
        return try await next(request, context)
    }
}
