internal import HTTPTypes
public import Hummingbird
internal import Synchronization

/// Refuses requests beyond a number that are worked on at once, so that those inside are answered in time.
///
/// A request counts until its answer begins: a stream that runs on afterwards has a limit of its own.
public final class InFlightMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let limit: Int
    private let isExempt: @Sendable (Request) -> Bool
    private let count = Atomic(0)

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - limit: The most requests at once.
    ///   - isExempt: Which requests are always worked on: those by which somebody sees how the service is.
    public init(limit: Int, isExempt: @escaping @Sendable (Request) -> Bool = { _ in false }) {
        self.limit = limit
        self.isExempt = isExempt
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard !isExempt(request) else { return try await next(request, context) }
        defer { count.subtract(1, ordering: .relaxed) }
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            throw Problem(
                .overloaded, "The service works on as many requests as it can.", headers: [.retryAfter: "1"])
        }
        return try await next(request, context)
    }
}
