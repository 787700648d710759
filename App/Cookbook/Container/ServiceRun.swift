internal import CookbookDomain
internal import CoreMetrics
internal import Hummingbird
internal import LarderData
internal import LarderDomain
internal import LarderHTTP
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// One run of the service: everything that runs beside and before the routes, put together.
struct ServiceRun: Sendable {
    let api: CookbookAPI
    let store: ObservedStore
    /// A number that is another one after every commit; see ``CachedStore/moment``.
    let moment: @Sendable () -> UInt64?
    let metrics: PrometheusMetrics
    let settings: ServiceSettings
    let logger: Logger

    /// Serves until the process gets SIGTERM or SIGINT, or something that it cannot do without fails.
    func untilStopped() async throws {
        try await firstAdmin.check()
        var chance = SystemRandomNumberGenerator()
        let feed = ChangeFeed(of: await store.changes(), boot: EventID.randomBoot(using: &chance))
        let signal = ShutdownSignal()
        let readiness = Readiness(store, signal: signal)
        let deadlines = RequestDeadlines()
        let limits = settings.server.limits
        let router = api.router(
            feed: feed, readiness: readiness, metrics: metrics,
            outermost: [
                RequestLogMiddleware(metrics: metrics), OutgoingMiddleware(api.service.outgoing) { $0.loop },
                ResponseCacheMiddleware(moment: moment),
            ],
            limits: [
                InFlightMiddleware(limit: limits.requestsInFlight) { $0.uri.path.hasPrefix("/health/") },
                TimeoutMiddleware(deadlines, timeout: limits.requestTimeout),
            ])
        let http = HTTPService(
            router.buildResponder(), address: .hostname(settings.server.host, port: settings.server.port),
            limits: limits, signal: signal, deadlines: deadlines, logger: logger, onRefusal: noteRefusal,
            onRunning: { port in
                // Made no sooner: a token that could not be shown would be the first admin's all the same.
                announce(port: port ?? settings.server.port, try await token())
            })
        let purge = PurgeService(
            [
                .init("answers") { try await api.service.answers.purge(api.service.manager) },
                .init("tokens") { try await api.tokens.purge() },
            ], logger: logger)
        let services: [any Service] = [feed, purge, http]
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    /// What is refused before it is a request has no route and no id.
    private func noteRefusal(_ problem: Problem) {
        Counter(
            label: "http_refusals_total", dimensions: [("kind", problem.kind.rawValue)], factory: metrics
        ).increment()
        logger.info("refused", metadata: ["kind": "\(problem.kind.rawValue)"])
    }
}
