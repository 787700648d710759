internal import CoreMetrics
internal import Hummingbird
internal import LarderApp

extension CookbookService {
    typealias Middleware = any MiddlewareProtocol<Request, Response, CookbookContext>

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
        router.add(middleware: ProblemMiddleware())
        for middleware in limits { router.add(middleware: middleware) }
        router.add(middleware: AllowMiddleware(table))
        router.add(middleware: AuthenticationMiddleware(service: self))
        PageRoutes().add(to: router)
        let group = router.group("v1")
        addResources(to: group)
        RecipeVerbs(service: self).add(to: group)
        MergeTagsRoute(service: self).add(to: group)
        PhotoRoutes(service: self).add(to: group)
        TokenRoutes(service: self).add(to: group)
        MeRoute(service: self).add(to: group)
        ImportRoute(service: self).add(to: group)
        ExportRoute(service: self).add(to: group)
        ChangesRoute(service: self, feed: feed, watchesClients: watchesClients).add(to: group)
        HealthRoutes(readiness).add(to: router)
        let openStreams = Meter(label: "http_open_streams", factory: metrics)
        MetricsRoutes(metrics) { openStreams.set(feed.subscriberCount) }
            .add(to: router.group().add(middleware: AdminMiddleware()))
        table.fill(from: router)
        return router
    }

    private func addResources(to group: RouterGroup<CookbookContext>) {
        ResourceRoutes<RecipeResource>(service: self).add(to: group)
        ResourceRoutes<TagResource>(service: self).add(to: group)
        ResourceRoutes<CookbookResource>(service: self).add(to: group)
        ResourceRoutes<BrandResource>(service: self).add(to: group)
        ResourceRoutes<UserResource>(service: self).add(to: group)
        ResourceRoutes<SessionResource>(service: self).add(to: group)
    }
}
