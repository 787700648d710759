internal import CookbookDomain
internal import Hummingbird
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

/// What is committed, told as it happens.
struct ChangesRoute: Sendable {
    let service: CookbookService
    let feed: ChangeFeed
    /// `false` where requests come over no connection.
    let watchesClients: Bool

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("changes", use: changes)
        router.head("changes", use: changes)
    }

    private func changes(_ request: Request, _ context: CookbookContext) async throws -> Response {
        _ = try service.cookbook(for: context, isPrivate: false)
        try QueryParameters(request).finish()
        let (caller, token) = (context.caller, context.token)
        return try feed.response(
            to: request, over: watchesClients ? context.loop : nil,
            // As in paths and commands.
            names: [CookingSession.entityName: "session"],
            isAllowed: {
                guard let token else { return true }
                return await service.caller(with: token) == caller
            },
            where: { caller.maySee($0) }, anyOf: { caller.maySee(anyOf: $0) })
    }
}

extension CookbookService {
    /// Who a token makes of somebody now, in the role that the user has now; `nil` where it holds no more.
    fileprivate func caller(with token: String) async -> Caller? {
        guard let token = try? await tokens.check(token).token else { return nil }
        return try? await manager.read(EntityID<User>(token.subject)).map { Caller($0.entity) }
    }
}

extension Caller {
    /// Whether the caller may see an entity, of which a change names no more than whose it is. Where reading is closed,
    /// nobody gets here who is not known.
    func maySee(_ change: CommittedChange) -> Bool {
        switch change.key.schema.name {
        case Recipe.entityName, Tag.entityName, Brand.entityName, Photo.entityName: true
        case User.entityName: isAdmin || change.key.id == userID?.rawValue
        case Cookbook.entityName, CookingSession.entityName:
            isAdmin || change.owner != nil && change.owner == userID?.rawValue
        default: false
        }
    }

    /// Whether the caller may see any entity of a kind, by the name of its schema.
    func maySee(anyOf entity: String) -> Bool {
        switch entity {
        case Recipe.entityName, Tag.entityName, Brand.entityName, Photo.entityName: true
        case User.entityName, Cookbook.entityName, CookingSession.entityName: isAdmin || userID != nil
        default: false
        }
    }
}
