internal import HTTPTypes
public import Hummingbird
private import Synchronization

/// Refuses requests beyond a maximum number in progress, so that accepted requests are answered in time. A request
/// counts until its response starts: a stream that continues afterwards has a separate limit.
public final class RequestLimitMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let limit: Int
    private let refusal: Problem
    private let key: @Sendable (Request, Context) -> String?
    private let counts = Mutex<[String: Int]>([:])

    private init(_ limit: Int, _ refusal: Problem, key: @escaping @Sendable (Request, Context) -> String?) {
        (self.limit, self.refusal, self.key) = (limit, refusal, key)
    }

    /// Limits the total number of requests in progress; further ones are answered with 503.
    ///
    /// - Parameter isExempt: The requests that are always accepted, such as health checks.
    public convenience init(limit: Int, isExempt: @escaping @Sendable (Request) -> Bool = { _ in false }) {
        let detail = "The service has reached its limit of requests."
        self.init(limit, Problem(.overloaded, detail, headers: [.retryAfter: "1"])) { request, _ in
            isExempt(request) ? nil : ""
        }
    }

    /// Limits the requests of each caller, their bodies included; further ones are answered with 429. Anonymous
    /// requests are not counted: the address of a connection is the proxy's, which alone can distinguish clients.
    ///
    /// - Parameter caller: The unique key of the caller; `nil` for an anonymous request.
    public convenience init(limit: Int, caller: @escaping @Sendable (Context) -> String?) {
        let refusal = Problem(
            .tooManyRequests, "You have reached the limit of \(limit) concurrent requests.",
            headers: [.retryAfter: "1"], closesConnection: true)
        self.init(limit, refusal) { _, context in caller(context) }
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let key = key(request, context) else { return try await next(request, context) }
        defer {
            counts.withLock { counts in
                let left = counts[key, default: 1] - 1
                counts[key] = left > 0 ? left : nil
            }
        }
        let count = counts.withLock { counts in
            counts[key, default: 0] += 1
            return counts[key, default: 0]
        }
        guard count <= limit else { throw refusal }
        return try await next(request, context)
    }
}
