internal import CookbookDomain
internal import HTTPTypes
internal import Hummingbird
internal import LarderDomain
internal import LarderHTTP
internal import Logging

/// Finds out who asks. A token that does not hold is refused, also where nobody needs one: who sends it believes to be
/// somebody.
struct AuthenticationMiddleware: RouterMiddleware {
    let service: CookbookService

    func handle(
        _ request: Request, context: CookbookContext,
        next: @concurrent (Request, CookbookContext) async throws -> Response
    ) async throws -> Response {
        guard let field = request.headers[.authorization] else { return try await next(request, context) }
        var context = context
        let token = try Self.token(field)
        let user = try await user(token, context)
        context.token = token
        context.user = user
        context.caller = Caller(user)
        return try await next(request, context)
    }

    private static func token(_ field: String) throws(Problem) -> String {
        let parts = field.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unknownCaller("Authorization must be: Bearer TOKEN.")
        }
        return String(parts[1])
    }

    private func user(_ token: String, _ context: CookbookContext) async throws -> User {
        switch try await service.tokens.check(token) {
        case .live(let token):
            let id = EntityID<User>(token.subject)
            if let user = try await service.manager.read(id)?.entity { return user }
            context.logger.notice("token of nobody", metadata: ["token": "\(token.id)"])
        case .refused(let reason):
            context.logger.notice("token refused", metadata: ["reason": "\(reason)"])
        }
        throw Problem.unknownCaller("The token does not hold; get another.")
    }
}
