internal import CookbookDomain
internal import CoreMetrics
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// The routes of the cookbook.
struct CookbookAPI: Sendable {
    typealias Middleware = any MiddlewareProtocol<Request, Response, CookbookContext>

    /// The parts that the routes share.
    let service: CookbookService
    /// All tokens.
    let tokens: AccessTokens
    /// The scope of the program itself, which may do everything.
    let system: OpenCookbook

    /// All routes, with what stands before them.
    ///
    /// - Parameters:
    ///   - feed: What tells of changes.
    ///   - readiness: What knows whether the service can take requests.
    ///   - metrics: What is measured.
    ///   - outermost: What sees every request and every answer, problems too.
    ///   - limits: What refuses requests as problems before it is known who asks.
    ///   - watchesClients: `false` where requests come over no connection, as in a test.
    func router(
        feed: ChangeFeed, readiness: Readiness, metrics: PrometheusMetrics, outermost: [Middleware] = [],
        limits: [Middleware] = [], watchesClients: Bool = true
    ) -> Router<CookbookContext> {
        let router = Router(context: CookbookContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        for middleware in outermost { router.add(middleware: middleware) }
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemMiddleware(realm: "larder"))
        for middleware in limits { router.add(middleware: middleware) }
        router.add(middleware: AllowMiddleware(table))
        // Whoever asks how the service is, or what it offers, is asked for nothing: a token that is no longer valid is
        // no reason to refuse them.
        PageRoutes().add(to: router)
        HealthRoutes(readiness).add(to: router)
        let known = router.group()
            .add(middleware: AuthenticationMiddleware(service.authenticator))
            .add(middleware: CallerLimitMiddleware(limit: service.limits.requestsPerCaller) { $0.caller?.key })
            .add(middleware: ContentEncodingMiddleware())
        let group = known.group("v1")
        addResources(to: group)
        RecipeVerbs(service: service).add(to: group)
        MergeTagsRoute(service: service).add(to: group)
        PhotoRoutes(service: service).add(to: group)
        TokenRoutes(service, collection: UserResource.name, tokens: \.tokens, check: Self.checkTokens).add(to: group)
        MeRoute(service: service, tokens: tokens).add(to: group)
        ImportRoute(service: service).add(to: group)
        ExportRoute(service: service).add(to: group)
        ChangesRoute(
            service, feed, names: [CookingSession.entityName: "session"], watchesClients: watchesClients,
            isVisible: { $0.permissions.maySee($1) }, isKindVisible: { $0.permissions.maySee(anyOf: $1) }
        ).add(to: group)
        let openStreams = Meter(label: "http_open_streams", factory: metrics)
        let droppedEntries = Meter(label: "log_entries_dropped", factory: metrics)
        let places = ["memory", "file"].map {
            Meter(label: "http_unread_bytes", dimensions: [("place", $0)], factory: metrics)
        }
        MetricsRoutes(metrics) {
            openStreams.set(feed.subscriberCount)
            droppedEntries.set(LogSink.standardError.droppedCount)
            places[0].set(service.outgoing.bytesInMemory)
            places[1].set(service.outgoing.bytesInFile)
        }
        .add(to: known.group().add(middleware: OperatorMiddleware(role: "an admin")))
        table.fill(from: router)
        return router
    }

    private func addResources(to group: RouterGroup<CookbookContext>) {
        ResourceRoutes(RecipeResource.self, service).add(to: group)
        ResourceRoutes(TagResource.self, service).add(to: group)
        ResourceRoutes(CookbookResource.self, service).add(to: group)
        ResourceRoutes(BrandResource.self, service).add(to: group)
        ResourceRoutes(UserResource.self, service).add(to: group)
        ResourceRoutes(SessionResource.self, service).add(to: group)
    }

    /// A token belongs to a user whom the caller may see, and only admins manage tokens.
    private static func checkTokens(
        of user: EntityID<User>, caller: AuthenticatedUser?, in cookbook: OpenCookbook
    ) async throws {
        _ = try await cookbook.users.require(user)
        guard caller.permissions.isAdmin else {
            throw Problem(.forbidden, "Tokens are for admins to make and take back.")
        }
    }
}
