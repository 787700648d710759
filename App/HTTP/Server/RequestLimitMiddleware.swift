public import Hummingbird
internal import LarderApp

/// Refuses requests beyond a maximum number in progress, so that accepted requests are answered in time. A request
/// counts until its response starts: a stream that continues afterwards has a separate limit.
public struct RequestLimitMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let gate: WorkGate
    /// The key of the caller of a request, if the request counts.
    private let caller: @Sendable (Request, Context) -> String??
    private let closesConnection: Bool

    /// Limits the total number of requests in progress; further ones are answered with 503.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of requests.
    ///   - isExempt: The requests that are always accepted, such as health checks.
    public init(limit: Int, isExempt: @escaping @Sendable (Request) -> Bool = { _ in false }) {
        gate = WorkGate(limit)
        caller = { request, _ in isExempt(request) ? nil : .some(nil) }
        closesConnection = false
    }

    /// Limits the requests of each known caller, their bodies included: further ones are answered with 429. Of all
    /// requests, anonymous callers together get three quarters, and then 503: the address of a connection is the
    /// proxy's, which alone can distinguish them.
    ///
    /// - Parameters:
    ///   - limits: The maximum numbers, of all requests and of one caller.
    ///   - caller: The unique key of the caller; `nil` for an anonymous request.
    public init(_ limits: ServerLimits, caller: @escaping @Sendable (Context) -> String?) {
        gate = WorkGate(
            limits.requestsInFlight, perCaller: limits.requestsPerCaller,
            anonymous: limits.anonymousRequests)
        self.caller = { _, context in .some(caller(context)) }
        closesConnection = true
    }

    /// Counts the request until its response starts, or refuses it.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let caller = caller(request, context) else { return try await next(request, context) }
        let claim = try claim(for: caller)
        defer { claim.release() }
        return try await next(request, context)
    }

    private func claim(for caller: String?) throws(Problem) -> WorkClaim {
        do {
            return try gate.claim(for: caller)
        } catch {
            var problem = Problem(error, of: "concurrent requests", retryAfter: 1)
            problem.closesConnection = closesConnection
            throw problem
        }
    }
}
