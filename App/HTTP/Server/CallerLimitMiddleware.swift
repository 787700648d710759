internal import HTTPTypes
public import Hummingbird
private import Synchronization

/// Refuses requests of one caller beyond a number that are worked on at once, their bodies included: one who sends many
/// bodies slowly takes no place from others.
///
/// A request counts until its answer begins, as in ``InFlightMiddleware``. Callers who are not known are not counted: the
/// address of a connection is the proxy's, and only the proxy can tell one client from another.
public final class CallerLimitMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let limit: Int
    private let caller: @Sendable (Context) -> String?
    private let counts = Mutex<[String: Int]>([:])

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - limit: The most requests of one caller at once.
    ///   - caller: Who asks, in a text that no other caller has; `nil` for somebody who is not known.
    public init(limit: Int, caller: @escaping @Sendable (Context) -> String?) {
        self.limit = limit
        self.caller = caller
    }

    /// Answers with what the rest answers, or 429.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let caller = caller(context) else { return try await next(request, context) }
        defer {
            counts.withLock { counts in
                let left = counts[caller, default: 1] - 1
                counts[caller] = left > 0 ? left : nil
            }
        }
        let count = counts.withLock { counts in
            counts[caller, default: 0] += 1
            return counts[caller, default: 0]
        }
        guard count <= limit else {
            throw Problem(
                .tooManyRequests, "The service works on \(limit) requests of yours already.",
                headers: [.retryAfter: "1"], closesConnection: true)
        }
        return try await next(request, context)
    }
}
