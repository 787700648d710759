public import Hummingbird
public import LarderApp

/// Counts the work on a request to the shares of its caller: `WorkCaller.current` and `SpoolFile.current`.
public struct ShareMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    private let file: SpoolFile

    /// - Parameter file: The file for bodies and results.
    public init(_ file: SpoolFile) { self.file = file }

    /// Runs the rest of the request as work of its caller.
    public func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        try await WorkCaller.$current.withValue(context.caller?.key) {
            try await SpoolFile.$current.withValue(file) { try await next(request, context) }
        }
    }
}
