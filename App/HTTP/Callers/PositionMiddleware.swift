internal import HTTPTypes
internal import Hummingbird
internal import LarderData
internal import LarderDomain

/// Lets clients read lists from a replica of the store: the response to a change has the position of its commit, and a `GET`
/// with a position may be answered by any copy that includes it.
///
/// A `GET` without a position, and a read of one entity, is answered by the primary copy.
struct PositionMiddleware<Caller: ServiceCaller>: RouterMiddleware {
    let manager: StoreManager

    func handle(
        _ request: Request, context: CallerContext<Caller>,
        next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head else { return try await read(request, context, next) }
        var response = try await next(request, context)
        // The change is stored: a failure to find the position is not one of the request.
        if response.status.kind == .successful, let position = try? await manager.position() {
            response.headers[.storePosition] = position.description
        }
        return response
    }

    private func read(
        _ request: Request, _ context: CallerContext<Caller>,
        _ next: @concurrent (Request, CallerContext<Caller>) async throws -> Response
    ) async throws -> Response {
        guard let text = request.headers[.storePosition] else { return try await next(request, context) }
        guard let position = ChangeToken(text) else {
            throw Problem.badRequest("Store-Position must be the position that a response to a change has.")
        }
        var context = context
        context.reader = manager.reading(ReadConsistency(.replica, including: position))
        var response = try await next(request, context)
        if let vary = response.headers[.vary] { response.headers[.vary] = "\(vary), \(HTTPField.Name.storePosition)" }
        return response
    }
}

extension HTTPField.Name {
    /// The position of a commit in the store.
    static let storePosition = HTTPField.Name("Store-Position") ?? .accept
}
