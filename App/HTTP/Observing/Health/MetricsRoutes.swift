internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// `GET /metrics`: all metrics in the text format of Prometheus.
public struct MetricsRoutes<Context: RequestContext>: Sendable {
    private let metrics: PrometheusMetrics
    private let refresh: @Sendable () -> Void

    /// Makes the route.
    ///
    /// - Parameters:
    ///   - metrics: The metrics of the run.
    ///   - refresh: Updates the gauges that are not updated otherwise; called for each response.
    public init(_ metrics: PrometheusMetrics, refresh: @escaping @Sendable () -> Void = {}) {
        self.metrics = metrics
        self.refresh = refresh
    }

    /// Adds the route to a router.
    public func add(to routes: some RouterMethods<Context>) {
        routes.get("metrics") { [metrics, refresh] _, _ in
            refresh()
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
                ], body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text())))
        }
    }
}
