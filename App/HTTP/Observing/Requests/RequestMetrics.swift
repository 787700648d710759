internal import CoreMetrics
internal import HTTPTypes
internal import LarderApp
private import Synchronization

/// The metrics of requests, with the names and labels of OpenTelemetry's conventions. Labels are route patterns, never paths.
final class RequestMetrics: Sendable {
    private static let name = "http_server_request_duration_seconds"

    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    let inFlight: Meter
    private let factory: any MetricsFactory
    /// At most the number of routes, times their methods and statuses.
    private let timers = Mutex<[Key: Timer]>([:])

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: "http_server_active_requests", factory: factory)
    }

    /// Counts an answered request.
    func note(method: String, route: String, status: Int, duration: Duration) {
        let key = Key(method: method, route: route, status: status)
        let timer = timers.withLock { $0[key] ?? newTimer(key, &$0) }
        timer.recordNanoseconds(duration.nanoseconds)
    }

    private func newTimer(_ key: Key, _ timers: inout [Key: Timer]) -> Timer {
        let labels = [
            ("http_request_method", key.method), ("http_route", key.route),
            ("http_response_status_code", String(key.status)),
        ]
        let timer = Timer(label: Self.name, dimensions: labels, factory: factory)
        timers[key] = timer
        return timer
    }

    /// Raises the limit of the series, so that each route has its own ones. One more route is `none`.
    static func expect(routes count: Int, in metrics: PrometheusMetrics) {
        metrics.expect((count + HTTPRequest.Method.labels) * statuses, of: [name])
    }

    /// The statuses of one route, with a margin.
    private static let statuses = 32
}

extension HTTPRequest.Method {
    /// The number of labels.
    fileprivate static var labels: Int { 10 }

    /// The method, or `_OTHER` for a nonstandard one, so that clients cannot create labels.
    var label: String {
        switch self {
        case .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect: rawValue
        default: "_OTHER"
        }
    }
}
