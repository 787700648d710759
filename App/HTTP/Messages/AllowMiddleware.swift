internal import HTTPTypes
public import Hummingbird

/// Answers requests that no route matches: `OPTIONS` with the methods of a path, or of all paths for `*`; a method that
/// the path does not support with 405.
public struct AllowMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let table: RouteTable

    /// Takes the table, which may be filled later.
    public init(_ table: RouteTable) {
        self.table = table
    }

    /// Answers `OPTIONS`, and a path or a method without a route.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.method == .options, request.head.path == "*" {
            return Response(status: .noContent, headers: [.allow: Self.list(table.allMethods)])
        }
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            let methods = table.methods(of: request.uri.path)
            guard !methods.isEmpty else { throw Problem(.notFound, "There is no resource at this path.") }
            let allow: HTTPFields = [.allow: Self.list(methods)]
            if request.method == .options { return Response(status: .noContent, headers: allow) }
            guard !methods.contains(request.method) else { throw error }
            throw Problem(.methodNotAllowed, "This resource does not support \(request.method).", headers: allow)
        }
    }

    private static func list(_ methods: [HTTPRequest.Method]) -> String {
        methods.map(\.rawValue).joined(separator: ", ")
    }
}
