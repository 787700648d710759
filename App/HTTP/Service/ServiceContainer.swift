public import CoreMetrics
public import LarderApp
public import LarderData
public import LarderDomain
public import Logging
public import ServiceLifecycle

/// The composition root of a service: assembles its store, the layers over it, and its API.
///
/// The program has one, for ``ServeCommand`` and for its own commands. A test replaces its members for both.
public protocol ServiceContainer: Sendable {
    /// The API that the container assembles.
    associatedtype API: ServiceAPI

    /// Opens the store that the settings describe.
    var openStore: @Sendable (StoreSettings, SchemaSet) async throws -> any Store { get }

    /// Makes the layers of a running service, from the store outwards.
    func layers(over store: any Store, _ mappers: MapperSet, _ metrics: StoreMetrics) -> ServiceLayers

    /// Reads the service's own settings before the store is opened.
    ///
    /// - Parameters:
    ///   - settings: The settings of every service.
    ///   - reader: Keeps errors in settings; all errors are reported together.
    /// - Returns: A function that makes the API over the manager of the layers.
    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> API
}

/// A composition root that determines the tasks of the running service. Without it, the task is a ``PurgeService``.
public protocol TaskContainer<API>: ServiceContainer {
    /// The tasks, which run until the server has stopped.
    ///
    /// - Throws: An error ends the run before the service accepts requests.
    func tasks(of service: RunningService<API>) throws -> [any Service]
}

/// A service that is about to accept requests.
public struct RunningService<API: Sendable>: Sendable {
    /// The API.
    public let api: API
    /// The store and the layers over it.
    public let layers: ServiceLayers
    /// The settings.
    public let settings: ServiceSettings
    /// The metrics backend.
    public let metrics: any MetricsFactory
    /// The log.
    public let logger: Logger
}

/// The layers of a running service.
public struct ServiceLayers: Sendable {
    /// The store with its metrics, which health checks and the change stream use.
    public let store: ObservedStore
    /// The cache over the store, which is closed with it.
    public let cache: CachedStore
    /// The manager of the API.
    public let manager: any PersistencyManager

    /// Names the layers.
    public init(store: ObservedStore, cache: CachedStore, manager: any PersistencyManager) {
        (self.store, self.cache, self.manager) = (store, cache, manager)
    }
}
