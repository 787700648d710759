public import CoreMetrics
public import Hummingbird
public import HummingbirdCore
public import LarderApp
public import LarderData
internal import LarderDomain

/// The routes of a service. The kit adds common routes, and the middleware of every service.
public protocol ServiceAPI: Sendable {
    /// The callers of the service.
    associatedtype Caller: ServiceCaller
    /// The repositories and use cases of one caller.
    associatedtype Scope: Sendable

    /// The parts that the routes share.
    var service: ResourceService<Caller, Scope> { get }
    /// The service's name: the realm of its challenges.
    var identity: ServiceIdentity { get }
    /// The operators, if their access tokens are those of the store; `nil` for another ``Authenticator``.
    var operators: (any OperatorRegistry)? { get }

    /// The deletions of expired data, which run at the start and every five minutes; by default of stored responses and
    /// of access tokens.
    var purges: [PurgeService.Purge] { get }

    /// Middleware around that of the kit; by default none. It sees each request first, and each response last, with its
    /// `X-Request-ID`. A `Problem` that it throws becomes the response.
    var middleware: [Middleware] { get }

    /// Chooses how connections are served; by default HTTP/1.1 without TLS, with the guard of connections.
    ///
    /// - Parameter guarded: Makes builders with the guard.
    /// - Throws: An error ends the run: of a certificate that cannot be read, for example.
    func server(_ guarded: GuardedServer) throws -> HTTPServerBuilder

    /// Adds the routes at `/v1`. Their requests are authenticated, or anonymous.
    func addRoutes(to group: RouterGroup<CallerContext<Caller>>, _ parts: ServiceParts)

    /// The pages and the OpenAPI document, whose routes need no authentication. Make them once in a process.
    ///
    /// - Throws: An error if the service's part of the document is invalid.
    func pages() throws -> ServicePages
}

/// The parts of a running service that its routes may use.
public struct ServiceParts: Sendable {
    /// The feed of the change stream.
    public let feed: ChangeFeed
    /// Whether requests arrive over connections, which detect clients that disconnect. Not in tests of the router.
    public let watchesClients: Bool
}

extension ServiceAPI {
    public var operators: (any OperatorRegistry)? { nil }
    public var middleware: [Middleware] { [] }

    public func server(_ guarded: GuardedServer) throws -> HTTPServerBuilder { try guarded.standardBuilder() }

    public var purges: [PurgeService.Purge] {
        let responses = PurgeService.Purge("answers") { try await service.responses.purge(service.manager) }
        guard let tokens = operators?.tokens else { return [responses] }
        return [responses, .init("tokens") { try await tokens.purge() }]
    }

    /// Middleware of the service's router.
    public typealias Middleware = any MiddlewareProtocol<Request, Response, CallerContext<Caller>>

    /// All routes with their middleware.
    ///
    /// - Parameters:
    ///   - feed: The feed of the change stream.
    ///   - readiness: Reports whether the service can accept requests.
    ///   - metrics: The metrics. Those of ``PrometheusMetrics`` are at `/metrics`, for callers with the permission to read them.
    ///   - store: The store, for callers with the permission to back it up; `nil` omits the route.
    ///   - outermost: Middleware that sees every request and every response, including problems.
    ///   - limits: Middleware that refuses requests before authentication. The errors that it throws become problems.
    ///   - replicas: The manager of a store with replicas, which answer reads that name a position; `nil` without replicas.
    ///   - pagePolicy: Replaces ``ServicePages/policy``, the content security policy of the pages.
    ///   - watchesClients: `false` if requests arrive without connections, as in tests.
    /// - Throws: The error of ``pages()``.
    public func router(
        feed: ChangeFeed, readiness: Readiness, metrics: any MetricsFactory, store: (any Store)? = nil,
        outermost: [Middleware] = [], limits: [Middleware] = [], replicas: StoreManager? = nil,
        pagePolicy: String? = nil, watchesClients: Bool = true
    ) throws -> Router<CallerContext<Caller>> {
        let router = Router(context: CallerContext<Caller>.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        var authentication = AuthenticationMiddleware(service.authenticator)
        authentication.rates = RateLimiter(service.limits)
        let fields: [Middleware] = authentication.rates == nil ? [] : [RateFieldsMiddleware()]
        for middleware in middleware + fields + outermost { router.add(middleware: middleware) }
        router.add(middleware: SecurityHeadersMiddleware(pagePolicy: pagePolicy))
        router.add(middleware: ProblemMiddleware(realm: identity.name))
        for middleware in limits { router.add(middleware: middleware) }
        router.add(middleware: AllowMiddleware(table))
        // Without authentication, because a health check or a page must not fail for an expired token.
        try pages().add(to: router)
        HealthRoutes(readiness).add(to: router)
        let authenticated = router.group()
            .add(middleware: RequestThreadsMiddleware())
            .add(middleware: authentication)
            .add(middleware: RequestLimitMiddleware(service.limits) { $0.caller?.key })
            .add(middleware: ShareMiddleware<Caller>(service.outgoing.file))
            .add(middleware: ContentEncodingMiddleware())
        let routes = authenticated.group("v1").add(middleware: RestrictionMiddleware())
        if let replicas { routes.add(middleware: PositionMiddleware(manager: replicas)) }
        if let spans = Spans() { routes.add(middleware: UseCaseMiddleware<Caller>(spans: spans)) }
        addRoutes(
            to: routes, ServiceParts(feed: feed, watchesClients: watchesClients))
        func permitted(_ permission: OperatorPermission) -> OperatorMiddleware<Caller> {
            OperatorMiddleware(permission, role: identity.operatorRole)
        }
        if let store { BackupRoute(store).add(to: authenticated.group("v1").add(middleware: permitted(.backUp))) }
        if let metrics = metrics as? PrometheusMetrics {
            MetricsRoutes(metrics, refresh: gauges(metrics, feed, store))
                .add(to: authenticated.group().add(middleware: permitted(.readMetrics)))
        }
        table.fill(from: router)
        if let metrics = metrics as? PrometheusMetrics {
            RequestMetrics.expect(routes: router.routes.count, in: metrics)
        }
        return router
    }

    /// Sets the gauges that are not updated otherwise.
    func gauges(
        _ metrics: any MetricsFactory, _ feed: ChangeFeed, _ store: (any Store)?
    ) -> @Sendable () -> Void {
        let openStreams = Meter(label: "http_open_streams", factory: metrics)
        let droppedEntries = Meter(label: "log_entries_dropped", factory: metrics)
        let places = ["memory", "file"].map {
            Meter(label: "http_unread_bytes", dimensions: [("place", $0)], factory: metrics)
        }
        let mirrors = MirrorMetrics(of: store, metrics)
        let log = LogMetrics(of: store, metrics)
        return {
            mirrors.refresh()
            log.refresh()
            openStreams.set(feed.subscriberCount)
            droppedEntries.set(LogSink.standardError.droppedCount)
            places[0].set(service.outgoing.bytesInMemory)
            places[1].set(service.outgoing.bytesInFile)
        }
    }
}
