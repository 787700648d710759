import LarderApp
import LarderData
import LarderDomain
import LarderHTTP

/// A container with the usual layers.
protocol TestContainer: ServiceContainer {}

extension TestContainer {
    var openStore: @Sendable (StoreSettings, SchemaSet) async throws -> any Store { { try await $0.open($1) } }

    func layers(over store: any Store, _ mappers: MapperSet, _ metrics: StoreMetrics) -> ServiceLayers {
        let observed = ObservedStore(store, metrics: metrics)
        let cached = CachedStore(observed, onLookup: metrics.noteLookup)
        let manager = StoreManager(cached, mappers: mappers, retry: metrics.retryPolicy)
        return ServiceLayers(store: observed, cache: cached, manager: manager)
    }
}
