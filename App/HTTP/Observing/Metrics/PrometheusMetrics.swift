public import CoreMetrics
private import Synchronization

/// Collects metrics, and prints them in the Prometheus text format 0.0.4.
///
/// Counters are counters, meters and plain recorders are gauges, and timers are histograms of seconds with the bounds
/// of ``buckets``. An aggregating recorder is a histogram with a single bucket for all values. In names and labels, an
/// underscore replaces each character that Prometheus does not allow.
///
/// Callers keep their handlers. Recording a value costs an atomic operation or the lock of one series; making a handler
/// takes a lock that all share. Handlers with the same name and labels share one series, which exists until the process
/// ends: destroying a handler has no effect.
///
/// A metric has at most ``seriesLimit`` series. One additional series counts all further labels, with the value
/// `other`. The number of metrics is not limited, because only the code names them. ``expect(_:of:)`` raises the limit of
/// metrics whose labels are known.
public final class PrometheusMetrics: MetricsFactory {
    /// The upper bounds of a timer's buckets, in seconds.
    public static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The maximum number of series of one metric, without the one for other labels.
    public let seriesLimit: Int
    private let help: [String: String]
    private let families = Mutex<[String: MetricFamily]>([:])
    /// The limits of metrics with more series.
    private let limits = Mutex<[String: Int]>([:])

    /// Makes a collector without metrics.
    ///
    /// - Parameters:
    ///   - help: The descriptions of metrics by their Prometheus names.
    ///   - seriesLimit: The maximum number of series of one metric.
    public init(help: [String: String] = PrometheusMetrics.kitHelp, seriesLimit: Int = 512) {
        self.help = help
        self.seriesLimit = max(1, seriesLimit)
    }

    /// Raises the limit of metrics whose labels come from a known set, such as the routes of a service.
    ///
    /// - Parameters:
    ///   - count: The maximum number of series of each metric; the limit is never lower than ``seriesLimit``.
    ///   - names: The Prometheus names of the metrics.
    public func expect(_ count: Int, of names: [String]) {
        limits.withLock { limits in
            for name in names { limits[name] = max(limits[name] ?? seriesLimit, count) }
        }
    }

    /// All metrics, sorted by name and labels. The series are not from exactly the same instant.
    ///
    /// - Complexity: O(*n* log *n*) for *n* series.
    public func text() -> String {
        let all = families.withLock { $0 }.values.sorted { $0.name < $1.name }
        return all.flatMap { $0.lines(help: help[$0.name]) }.reduce(into: "") { text, line in
            text += line
            text += "\n"
        }
    }

    /// A series of a metric. If the name already has another type, the series is not printed, because the format cannot
    /// represent it.
    private func series<Series: MetricSeries>(
        _ kind: MetricFamily.Kind, _ label: String, _ dimensions: [(String, String)], make: () -> Series
    ) -> Series {
        let name = MetricLabels.validName(label, colonsAllowed: true)
        let limit = limits.withLock { $0[name] } ?? seriesLimit
        let found = families.withLock { families -> (any MetricSeries)? in
            var family = families.removeValue(forKey: name) ?? MetricFamily(name: name, kind: kind)
            defer { families[name] = family }
            return family.kind == kind ? family.series(dimensions, limit: limit, make: make) : nil
        }
        return found as? Series ?? make()
    }
}

extension PrometheusMetrics {
    /// A counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, dimensions, make: CounterSeries.init)
    }

    /// A counter with fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, dimensions, make: CounterSeries.init)
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions, make: GaugeSeries.init)
    }

    /// A gauge of the last recorded value, or the number and the sum of all values.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? series(.histogram, label, dimensions) { HistogramSeries(bounds: []) }
            : series(.gauge, label, dimensions, make: GaugeSeries.init)
    }

    /// A histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(.histogram, label, dimensions) { HistogramSeries(bounds: Self.buckets) }
    }

    /// Has no effect.
    public func destroyCounter(_ handler: any CounterHandler) {}

    /// Has no effect.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    /// Has no effect.
    public func destroyMeter(_ handler: any MeterHandler) {}

    /// Has no effect.
    public func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Has no effect.
    public func destroyTimer(_ handler: any TimerHandler) {}
}
