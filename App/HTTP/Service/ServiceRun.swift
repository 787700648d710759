public import CoreMetrics
internal import Hummingbird
public import LarderApp
public import LarderData
public import LarderDomain
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Serves an API over a store until the process is told to stop, and closes the store.
public struct ServiceRun<Composition: ServiceContainer>: Sendable {
    private let settings: ServiceSettings
    private let identity: ServiceIdentity
    private let mappers: [any EntityMapper.Type]
    private let evolution: SchemaEvolution
    private let metrics: any MetricsFactory
    private let unknownVariables: [String]
    private let container: Composition

    /// - Parameters:
    ///   - settings: The settings of the service.
    ///   - identity: The names of the service.
    ///   - container: Opens the store, and makes the layers over it.
    ///   - mappers: The mappers of all entities in the store.
    ///   - evolution: The version of their schemas.
    ///   - metrics: The metrics backend; only ``PrometheusMetrics`` are served at `/metrics`.
    ///   - unknownVariables: The variables with the service's prefix that are no settings; they are logged as warnings.
    public init(
        _ settings: ServiceSettings, _ identity: ServiceIdentity, _ container: Composition,
        mappers: [any EntityMapper.Type], evolution: SchemaEvolution = .initial,
        metrics: any MetricsFactory = PrometheusMetrics(), unknownVariables: [String] = []
    ) {
        (self.settings, self.identity, self.mappers, self.metrics) = (settings, identity, mappers, metrics)
        (self.evolution, self.container, self.unknownVariables) = (evolution, container, unknownVariables)
    }

    /// Serves until SIGTERM or SIGINT, or until a part fails that the service needs.
    ///
    /// - Parameters:
    ///   - api: Makes the API over the store's manager, before requests are accepted. An error ends the run.
    ///   - onServing: Receives the API and the port as soon as the server listens. An error ends the run.
    /// - Throws: `CommandFailure` for an address that is not available; errors of opening the store.
    public func untilStopped(
        _ api: (any PersistencyManager) async throws -> Composition.API,
        onServing: @escaping @Sendable (Composition.API, _ port: Int) async throws -> Void
    ) async throws {
        ProcessMemory.returnLargeBlocks()
        let mappers = try MapperSet(mappers, evolution: evolution)
        let server = settings.server
        var storeSettings = settings.store
        storeSettings.purpose =
            server.port == 0
            ? "serving \(server.host) on a free port" : "serving \(server.address(port: server.port))"
        storeSettings.recoveryReport = .log
        JSONLogHandler.standardLevel = server.logLevel
        var logger = Logger(label: identity.name)
        logger.logLevel = server.logLevel
        for name in unknownVariables {
            logger.warning("an environment variable is not a setting", metadata: ["variable": "\(name)"])
        }
        let opened = try await withLogger(logger) { [storeSettings] _ in
            try await container.openStore(storeSettings, mappers.schemas)
        }
        let layers = container.layers(over: opened, mappers, StoreMetrics(metrics, of: opened))
        do {
            try await withLogger(logger) { logger in
                let api = try await api(layers.manager)
                try await serve(api, layers, logger) { try await onServing(api, $0) }
            }
        } catch {
            await layers.cache.close()
            throw CommandFailure(error, listeningAs: server) ?? error
        }
        await layers.cache.close()
    }

    private func serve(
        _ api: Composition.API, _ layers: ServiceLayers, _ logger: Logger,
        onServing: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let store = layers.store
        var server = settings.server
        server.limits = try Descriptors.bound(server.limits, others: settings.store.mostConnections)
        let limits = server.limits
        if limits.connections < settings.server.limits.connections {
            logger.warning(
                "the limit of open files permits fewer connections than http-max-connections",
                metadata: ["connections": "\(limits.connections)"])
        }
        let feed = await ChangeFeed(of: store, bounds: FeedBounds(limits))
        api.service.representations.follow { [cache = layers.cache] in cache.livesEpoch }
        let signal = ShutdownSignal()
        let deadlines = RequestDeadlines()
        let router = try api.router(
            feed: feed, readiness: Readiness(store, signal: signal), metrics: metrics, store: store,
            outermost: api.outermost(server, metrics) { [cache = layers.cache] in cache.epoch },
            limits: [
                RequestLimitMiddleware(limit: limits.requestsInFlight) { $0.uri.path.hasPrefix("/health/") },
                TimeoutMiddleware(deadlines, timeout: limits.requestTimeout),
            ],
            replicas: settings.store.replica == nil ? nil : layers.manager as? StoreManager,
            pagePolicy: server.pagePolicy)
        let guarded = GuardedServer(server) { [metrics] problem in
            // A request that is refused before it is complete has no route and no id.
            Counter(label: "http_refusals_total", dimensions: [("kind", problem.kind.rawValue)], factory: metrics)
                .increment()
            logger.info("refused", metadata: ["kind": "\(problem.kind.rawValue)"])
        }
        let http = HTTPService(
            router.buildResponder(), server, server: try api.server(guarded), signal: signal,
            deadlines: deadlines, logger: logger,
            onRunning: { [settings] in try await onServing($0 ?? settings.server.port) })
        let running = RunningService(api: api, layers: layers, settings: settings, metrics: metrics, logger: logger)
        let tasks =
            try (container as? any TaskContainer<Composition.API>)?.tasks(of: running)
            ?? [PurgeService(api.purges, logger: logger)]
        var services: [any Service] = [feed] + tasks + [http]
        if !(metrics is PrometheusMetrics) {
            // This backend does not pull metrics: they are pushed at intervals.
            services.append(IntervalService(interval: .seconds(10), work: api.gauges(metrics, feed, store)))
        }
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}

extension StoreSettings {
    /// The maximum number of connections to servers that the store opens while it runs.
    var mostConnections: Int {
        let servers = location.members.count { if case .postgres = $0 { true } else { false } }
        return connections * (servers + (replica == nil ? 0 : 1))
    }
}
