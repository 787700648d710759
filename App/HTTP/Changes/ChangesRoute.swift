public import Hummingbird
public import LarderDomain

/// The route of the change stream, filtered by the caller's permissions.
public struct ChangesRoute<Caller: ServiceCaller, Scope: Sendable>: Sendable {
    private let service: ResourceService<Caller, Scope>
    private let parts: ServiceParts
    private let anonymous: ChangeAudience
    private let policies: @Sendable (Caller?) -> PolicySet

    /// - Parameters:
    ///   - service: The parts that the routes share.
    ///   - parts: The feed, and whether clients are watched.
    ///   - names: The names of entities in events, by the names of their schemas; by default the schema's name.
    ///   - policies: The policies of a caller, which decide about each change; see `AccessPolicy.mayFollow`.
    public init(
        _ service: ResourceService<Caller, Scope>, _ parts: ServiceParts, names: [String: String] = [:],
        policies: @escaping @Sendable (Caller?) -> PolicySet
    ) {
        (self.service, self.parts, self.policies) = (service, parts, policies)
        anonymous = ChangeAudience(names: names, visible: policies(nil).following)
    }

    /// Adds `GET` and `HEAD` of `changes`.
    public func add(to router: RouterGroup<CallerContext<Caller>>) {
        router.get("changes", use: changes)
        router.head("changes", use: changes)
    }

    private func changes(_ request: Request, _ context: CallerContext<Caller>) async throws -> Response {
        _ = try service.scope(for: context, isPrivate: false)
        try QueryParameters(request).finish()
        let (caller, token, logger) = (context.caller, context.token, context.logger)
        let audience = caller.map { ChangeAudience(sharing: anonymous, visible: policies($0).following) }
        return try parts.feed.response(
            to: request, over: parts.watchesClients ? context.loop : nil, caller: caller?.key,
            audience: audience ?? anonymous,
            isAllowed: {
                guard let token else { return true }
                return (try? await service.authenticator.caller(with: token, logger: logger)) == caller
            })
    }
}
