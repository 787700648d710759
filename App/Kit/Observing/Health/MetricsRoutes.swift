internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// `GET /metrics`: everything measured, as Prometheus reads it.
public struct MetricsRoutes<Context: RequestContext>: Sendable {
    private let metrics: PrometheusMetrics

    /// Makes the route.
    public init(_ metrics: PrometheusMetrics) {
        self.metrics = metrics
    }

    /// Adds the route to a router.
    public func add(to routes: some RouterMethods<Context>) {
        routes.get("metrics") { [metrics] _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
                ], body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text())))
        }
    }
}
