import LarderApp
import LarderData
import LarderDomain
import LarderHTTP

/// The composition root: what commands and the service are made of. Tests replace members for both.
struct Container: ServiceContainer {
    var openStore: @Sendable (StoreSettings, SchemaSet) async throws -> any Store = { try await $0.open($1) }
    var makeManager: @Sendable (any Store, MapperSet, RetryPolicy) -> any PersistencyManager = {
        StoreManager($0, mappers: $1, retry: $2)
    }
    var ids: any IDGenerator = UUIDv7Generator()
    var now: @Sendable () -> Timestamp = Timestamp.now

    /// The layers of the service: the store of the settings, which may be mirrored and sealed; its metrics; the cache; the
    /// manager. ``Scope`` adds the guard of each caller.
    func layers(over store: any Store, _ mappers: MapperSet, _ metrics: StoreMetrics) -> ServiceLayers {
        let observed = ObservedStore(store, metrics: metrics)
        let cached = CachedStore(observed, onLookup: metrics.noteLookup)
        return ServiceLayers(
            store: observed, cache: cached, manager: makeManager(cached, mappers, metrics.retryPolicy))
    }

    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> Routes {
        { Routes($0, settings.server, ids: ids, now: now) }
    }

    /// Opens the store for a command, with all permissions, and always closes it.
    func withManager(
        _ settings: StoreSettings, _ body: (any PersistencyManager) async throws -> Void
    ) async throws {
        let mappers = try MapperSet(Entities.mappers, evolution: Entities.evolution)
        let store = try await openStore(settings, mappers.schemas)
        do {
            try await body(makeManager(store, mappers, RetryPolicy()))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}
