public import CoreMetrics
private import Synchronization

/// Keeps what a service measures, and shows it as Prometheus reads it: text format 0.0.4.
///
/// Counters are counters, meters and plain recorders gauges, timers histograms of seconds with the bounds of
/// ``buckets``; an aggregating recorder is a histogram with the one bucket that holds everything. Names and labels that
/// Prometheus does not allow have underscores in the wrong places.
///
/// Callers keep the handlers that they ask for: changing one costs an atomic operation, or a lock that only its own
/// series has; asking for one takes a lock that all share. Handlers with the same name and labels share one series,
/// which stays to the end of the process: destroying a handler forgets nothing.
///
/// A metric has at most ``seriesLimit`` series; what has other labels after that goes to one more, whose labels have
/// the value `other`. How many metrics there are is for the code to bound, since it alone names them.
public final class PrometheusMetrics: MetricsFactory {
    /// The upper bounds of a timer's buckets, in seconds.
    public static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The most series of one metric, without the one for the rest.
    public let seriesLimit: Int
    private let help: [String: String]
    private let families = Mutex<[String: MetricFamily]>([:])

    /// Begins with nothing measured.
    ///
    /// - Parameters:
    ///   - help: What metrics mean, by their names as Prometheus has them.
    ///   - seriesLimit: The most series of one metric.
    public init(help: [String: String] = PrometheusMetrics.kitHelp, seriesLimit: Int = 512) {
        self.help = help
        self.seriesLimit = max(1, seriesLimit)
    }

    /// Everything measured so far, sorted by name and labels; no two series are from quite the same instant.
    ///
    /// - Complexity: O(*n* log *n*) for *n* series.
    public func text() -> String {
        let all = families.withLock { $0 }.values.sorted { $0.name < $1.name }
        return all.flatMap { $0.lines(help: help[$0.name]) }.reduce(into: "") { text, line in
            text += line
            text += "\n"
        }
    }

    /// A series of a metric. Where the name has another type already it is one that nobody will see, since the format
    /// has no place for it.
    private func series<Series: MetricSeries>(
        _ kind: MetricFamily.Kind, _ label: String, _ dimensions: [(String, String)], make: () -> Series
    ) -> Series {
        let name = MetricLabels.validName(label, colonsAllowed: true)
        let found = families.withLock { families -> (any MetricSeries)? in
            var family = families.removeValue(forKey: name) ?? MetricFamily(name: name, kind: kind)
            defer { families[name] = family }
            return family.kind == kind ? family.series(dimensions, limit: seriesLimit, make: make) : nil
        }
        return found as? Series ?? make()
    }
}

extension PrometheusMetrics {
    /// A counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, dimensions, make: CounterSeries.init)
    }

    /// A counter; it keeps fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, dimensions, make: CounterSeries.init)
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions, make: GaugeSeries.init)
    }

    /// A gauge of what was recorded last, or the number and the sum of everything recorded.
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

    /// Forgets nothing.
    public func destroyCounter(_ handler: any CounterHandler) {}

    /// Forgets nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    /// Forgets nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}

    /// Forgets nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Forgets nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}
}
