internal import CookbookDomain
internal import CoreMetrics
internal import Hummingbird
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP
internal import Logging
internal import ServiceLifecycle

extension Container {
    /// How long the end of the process waits for the log to be written.
    private static let lastWords: Duration = .milliseconds(500)

    /// Serves the cookbook until the process is told to stop, and closes the store whatever happened.
    ///
    /// - Throws: `CommandFailure` for an address that cannot be had; what opening the store throws.
    func serve(_ settings: ServiceSettings) async throws {
        ProcessMemory.returnLargeBlocks()
        let mappers = try MapperSet(Self.mappers)
        let metrics = PrometheusMetrics()
        let measured = StoreMetrics(metrics)
        var storeSettings = settings.store
        let (server, port) = (settings.server, settings.server.port)
        storeSettings.purpose =
            port == 0 ? "serving \(server.host) on a port that was free" : "serving \(server.address(port: port))"
        storeSettings.recoveryReport = .log
        let logger = Logger(label: "larder") { JSONLogHandler(label: $0) }
        let opened = try await withLogger(logger) { [storeSettings] _ in
            try await openStore(storeSettings, mappers.schemas)
        }
        let store = ObservedStore(opened, metrics: measured)
        let cached = CachedStore(store, onLookup: measured.noteLookup)
        let manager = ObservedManager(makeManager(cached, mappers, measured.retryPolicy), metrics: measured)
        do {
            let run = ServiceRun(
                api: api(over: manager, server), store: store, moment: { cached.moment }, metrics: metrics,
                settings: settings, logger: logger)
            try await withLogger(logger) { _ in try await run.untilStopped() }
        } catch {
            await cached.close()
            await LogSink.standardError.flush(within: Self.lastWords)
            throw CommandFailure(error, listeningAs: server) ?? error
        }
        await cached.close()
        await LogSink.standardError.flush(within: Self.lastWords)
    }
}
