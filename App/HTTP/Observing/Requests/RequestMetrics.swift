internal import CoreMetrics
internal import HTTPTypes
internal import LarderApp
private import Synchronization

/// The metrics of requests. Labels are route patterns, never paths.
final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Handlers {
        var counters: [Key: Counter] = [:]
        var timers: [String: Timer] = [:]
    }

    let inFlight: Meter
    private let factory: any MetricsFactory
    /// At most the number of routes, times their methods and statuses.
    private let handlers = Mutex(Handlers())

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: "http_requests_in_flight", factory: factory)
    }

    /// Counts an answered request.
    func note(method: String, route: String, status: Int, duration: Duration) {
        let key = Key(method: method, route: route, status: status)
        let (counter, timer) = handlers.withLock { handlers in
            (
                handlers.counters[key] ?? newCounter(key, &handlers),
                handlers.timers[route] ?? newTimer(route, &handlers)
            )
        }
        counter.increment()
        timer.recordNanoseconds(duration.nanoseconds)
    }

    private func newCounter(_ key: Key, _ handlers: inout Handlers) -> Counter {
        let labels = [("method", key.method), ("route", key.route), ("status", String(key.status))]
        let counter = Counter(label: "http_requests_total", dimensions: labels, factory: factory)
        handlers.counters[key] = counter
        return counter
    }

    private func newTimer(_ route: String, _ handlers: inout Handlers) -> Timer {
        let timer = Timer(label: "http_request_duration_seconds", dimensions: [("route", route)], factory: factory)
        handlers.timers[route] = timer
        return timer
    }
}

extension PrometheusMetrics {
    /// The statuses of one route, with a margin.
    private static var statuses: Int { 32 }

    /// Raises the limits of the metrics of requests, so that each route has its own series. One more route is `none`.
    func expect(routes count: Int) {
        let series = (count + HTTPRequest.Method.labels) * Self.statuses
        expect(series, of: ["http_requests_total", "http_request_duration_seconds"])
    }
}

extension HTTPRequest.Method {
    /// The number of labels.
    fileprivate static var labels: Int { 10 }

    /// The method, or `other` for a nonstandard one, so that clients cannot create labels.
    var label: String {
        switch self {
        case .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect: rawValue
        default: "other"
        }
    }
}
