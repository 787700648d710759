internal import CoreMetrics
internal import Hummingbird
public import LarderApp
public import LarderData
public import LarderDomain
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Serves an API over a store until the process is told to stop, and closes the store.
public struct ServiceRun: Sendable {
    /// Opens the store that the settings name.
    public typealias OpenStore = @Sendable (StoreSettings, SchemaSet) async throws -> any Store
    /// Makes the manager of a store.
    public typealias MakeManager = @Sendable (any Store, MapperSet, RetryPolicy) -> any PersistencyManager

    /// The time that the end of the process allows for writing the log.
    private static let flushTimeout: Duration = .milliseconds(500)

    private let settings: ServiceSettings
    private let identity: ServiceIdentity
    private let mappers: [any EntityMapper.Type]
    private let openStore: OpenStore
    private let makeManager: MakeManager

    /// - Parameter mappers: Those of all entities in the store.
    public init(
        _ settings: ServiceSettings, _ identity: ServiceIdentity, mappers: [any EntityMapper.Type],
        openStore: @escaping OpenStore = { try await $0.open($1) },
        makeManager: @escaping MakeManager = { StoreManager($0, mappers: $1, retry: $2) }
    ) {
        (self.settings, self.identity, self.mappers) = (settings, identity, mappers)
        (self.openStore, self.makeManager) = (openStore, makeManager)
    }

    /// Serves until SIGTERM or SIGINT, or until a part fails that the service needs.
    ///
    /// - Parameters:
    ///   - api: Makes the API over the store's manager, before requests are accepted. An error ends the run.
    ///   - onServing: Receives the API and the port as soon as the server listens. An error ends the run.
    /// - Throws: `CommandFailure` for an address that is not available; errors of opening the store.
    public func untilStopped<API: ServiceAPI>(
        _ api: (any PersistencyManager) async throws -> API,
        onServing: @escaping @Sendable (API, _ port: Int) async throws -> Void
    ) async throws {
        ProcessMemory.returnLargeBlocks()
        let mappers = try MapperSet(mappers)
        let metrics = PrometheusMetrics()
        let measured = StoreMetrics(metrics)
        let server = settings.server
        var storeSettings = settings.store
        storeSettings.purpose =
            server.port == 0
            ? "serving \(server.host) on a port that was free" : "serving \(server.address(port: server.port))"
        storeSettings.recoveryReport = .log
        let logger = Logger(label: identity.name) { JSONLogHandler(label: $0) }
        let opened = try await withLogger(logger) { [storeSettings] _ in
            try await openStore(storeSettings, mappers.schemas)
        }
        let store = ObservedStore(opened, metrics: measured)
        let cached = CachedStore(store, onLookup: measured.noteLookup)
        let manager = ObservedManager(makeManager(cached, mappers, measured.retryPolicy), metrics: measured)
        do {
            try await withLogger(logger) { logger in
                let api = try await api(manager)
                try await serve(api, store, moment: { cached.moment }, metrics, logger) { try await onServing(api, $0) }
            }
        } catch {
            await cached.close()
            await LogSink.standardError.flush(within: Self.flushTimeout)
            throw CommandFailure(error, listeningAs: server) ?? error
        }
        await cached.close()
        await LogSink.standardError.flush(within: Self.flushTimeout)
    }

    private func serve<API: ServiceAPI>(
        _ api: API, _ store: ObservedStore, moment: @escaping @Sendable () -> UInt64?, _ metrics: PrometheusMetrics,
        _ logger: Logger, onServing: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        var chance = SystemRandomNumberGenerator()
        let feed = ChangeFeed(of: await store.changes(), boot: EventID.randomBoot(using: &chance))
        let signal = ShutdownSignal()
        let deadlines = RequestDeadlines()
        let limits = settings.server.limits
        let router = try api.router(
            feed: feed, readiness: Readiness(store, signal: signal), metrics: metrics,
            outermost: [
                RequestLogMiddleware(metrics: metrics), OutgoingMiddleware(api.service.outgoing) { $0.loop },
                ResponseCacheMiddleware(moment: moment),
            ],
            limits: [
                RequestLimitMiddleware(limit: limits.requestsInFlight) { $0.uri.path.hasPrefix("/health/") },
                TimeoutMiddleware(deadlines, timeout: limits.requestTimeout),
            ])
        let (host, port) = (settings.server.host, settings.server.port)
        let http = HTTPService(
            router.buildResponder(), address: .hostname(host, port: port), limits: limits, signal: signal,
            deadlines: deadlines, logger: logger,
            onRefusal: { problem in
                // A request that is refused before it is complete has no route and no id.
                Counter(
                    label: "http_refusals_total", dimensions: [("kind", problem.kind.rawValue)], factory: metrics
                ).increment()
                logger.info("refused", metadata: ["kind": "\(problem.kind.rawValue)"])
            },
            onRunning: { try await onServing($0 ?? port) })
        let services: [any Service] = [feed, PurgeService(api.purges, logger: logger), http]
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}
