public import CoreMetrics
public import LarderApp

/// A program that serves an API, for ``ServeCommand``.
public protocol HTTPProgram: ServiceProgram {
    /// The type of the composition root.
    associatedtype Composition: ServiceContainer

    /// The composition root.
    static var container: Composition { get }

    /// The metrics backend of a run; by default ``PrometheusMetrics``, the only one that is served at `/metrics`.
    static func metrics() -> any MetricsFactory
}

extension HTTPProgram {
    public static func metrics() -> any MetricsFactory { PrometheusMetrics() }

    public static var settings: [Setting] {
        let server = (try? ServerSettings.effective(in: SettingSources())) ?? []
        return ownSettings + server.map(\.setting) + [.firstOperator, .service, .serviceToken]
    }
}
