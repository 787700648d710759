public import Hummingbird
internal import HTTPTypes
internal import LarderDomain
internal import Logging

/// Turns every error into problem details. The response to a failure of the service contains no internal details; one
/// log line has the cause.
public struct ProblemMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let realm: String

    /// - Parameter realm: The protection space that the challenge of a 401 names.
    public init(realm: String) {
        self.realm = realm
    }

    /// Catches an error, logs the cause of a failure, and makes the response.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            var problem = Self.problem(error, request)
            if problem.kind == .unauthorized { problem.headers[.wwwAuthenticate] = "Bearer realm=\"\(realm)\"" }
            if problem.status.code == 500 {
                context.logger.error("the request failed", metadata: ["cause": "\(error)"])
            } else if problem.kind == .storeUnavailable {
                context.logger.warning("the store is unavailable", metadata: ["cause": "\(error)"])
            } else if error is ClientGone {
                context.logger.info("the client disconnected before the response")
            }
            return try problem.response(from: request, context: context)
        }
    }

    private static func problem(_ error: any Error, _ request: Request) -> Problem {
        let failure = Problem(.internalError, "The service failed; its log contains the cause under the request id.")
        // A read sends no values that could be invalid, so the invalid value is a stored one.
        if case .invalid? = error as? PersistencyError, [.get, .head].contains(request.method) { return failure }
        return Problem(error) ?? failure
    }
}
