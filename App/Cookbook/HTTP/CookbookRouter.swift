internal import CookbookDomain
internal import CoreMetrics
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

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
        // Whoever asks how the service is, or what it offers, is asked for nothing: a token that is no longer valid is
        // no reason to refuse them.
        PageRoutes().add(to: router)
        HealthRoutes(readiness).add(to: router)
        let known = router.group()
            .add(middleware: AuthenticationMiddleware(service: self))
            .add(middleware: CallerLimitMiddleware(limit: self.limits.requestsPerCaller) { $0.user?.id.description })
            .add(middleware: ContentEncodingMiddleware())
        let group = known.group("v1")
        addResources(to: group)
        RecipeVerbs(service: self).add(to: group)
        MergeTagsRoute(service: self).add(to: group)
        PhotoRoutes(service: self).add(to: group)
        TokenRoutes(service: self).add(to: group)
        MeRoute(service: self).add(to: group)
        ImportRoute(service: self).add(to: group)
        ExportRoute(service: self).add(to: group)
        ChangesRoute(service: self, feed: feed, watchesClients: watchesClients).add(to: group)
        let openStreams = Meter(label: "http_open_streams", factory: metrics)
        let droppedEntries = Meter(label: "log_entries_dropped", factory: metrics)
        let places = ["memory", "file"].map {
            Meter(label: "http_unread_bytes", dimensions: [("place", $0)], factory: metrics)
        }
        MetricsRoutes(metrics) {
            openStreams.set(feed.subscriberCount)
            droppedEntries.set(LogSink.standardError.droppedCount)
            places[0].set(outgoing.bytesInMemory)
            places[1].set(outgoing.bytesInFile)
        }
        .add(to: known.group().add(middleware: AdminMiddleware()))
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
