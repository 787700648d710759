public import CoreMetrics
public import LarderApp
public import LarderDomain

/// A program that serves an API, for ``ServeCommand``.
public protocol HTTPProgram: ServiceProgram {
    associatedtype API: ServiceAPI

    /// The metrics backend of a run; by default ``PrometheusMetrics``, the only one that is served at `/metrics`.
    static func metrics() -> any MetricsFactory

    /// Reads the service's own settings before the store is opened.
    ///
    /// - Parameter reader: Keeps errors in settings; all errors are reported together.
    /// - Returns: A function that makes the API over the store's manager.
    static func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> API
}

extension HTTPProgram {
    public static func metrics() -> any MetricsFactory { PrometheusMetrics() }

    public static var settings: [Setting] {
        let server = (try? ServerSettings.effective(in: SettingSources())) ?? []
        return ownSettings + server.map(\.setting) + [.firstOperator, .service, .serviceToken]
    }
}
