public import Hummingbird
public import LarderDomain

/// The route of the change stream, filtered by the caller's permissions.
public struct ChangesRoute<Caller: ServiceCaller, Scope: Sendable>: Sendable {
    private let service: ResourceService<Caller, Scope>
    private let parts: ServiceParts
    private let names: [String: String]
    private let isVisible: @Sendable (Caller?, CommittedChange) -> Bool
    private let isKindVisible: @Sendable (Caller?, String) -> Bool

    /// - Parameters:
    ///   - names: The names of entities in events, by the names of their schemas; by default the schema's name.
    ///   - isVisible: Whether a caller may see a change.
    ///   - isKindVisible: Whether a caller may see any entity of a schema, by the schema's name.
    public init(
        _ service: ResourceService<Caller, Scope>, _ parts: ServiceParts, names: [String: String] = [:],
        isVisible: @escaping @Sendable (Caller?, CommittedChange) -> Bool,
        isKindVisible: @escaping @Sendable (Caller?, String) -> Bool
    ) {
        (self.service, self.parts, self.names) = (service, parts, names)
        (self.isVisible, self.isKindVisible) = (isVisible, isKindVisible)
    }

    public func add(to router: RouterGroup<CallerContext<Caller>>) {
        router.get("changes", use: changes)
        router.head("changes", use: changes)
    }

    private func changes(_ request: Request, _ context: CallerContext<Caller>) async throws -> Response {
        _ = try service.scope(for: context, isPrivate: false)
        try QueryParameters(request).finish()
        let (caller, token, logger) = (context.caller, context.token, context.logger)
        return try parts.feed.response(
            to: request, over: parts.watchesClients ? context.loop : nil, names: names,
            isAllowed: {
                guard let token else { return true }
                return (try? await service.authenticator.caller(with: token, logger: logger)) == caller
            },
            where: { isVisible(caller, $0) }, anyOf: { isKindVisible(caller, $0) })
    }
}
