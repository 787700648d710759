internal import CoreMetrics

/// A series of a metric: the values with one set of labels, shown as one or more lines.
protocol MetricSeries: AnyObject, Sendable {
    /// The ends of the lines: the suffix of the metric's name, a label of this line only, and the value.
    var samples: [MetricSample] { get }
}

/// One line of a series.
struct MetricSample: Sendable, Equatable {
    /// The suffix of the metric's name.
    var suffix = ""
    /// The inclusive upper bound of a bucket.
    var bound: Double?
    let value: Double
}

/// A number that only increases. Negative values and NaN are ignored.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let number = AtomicNumber()

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        number.add(amount)
    }

    func reset() { number.value = 0 }

    var samples: [MetricSample] { [MetricSample(value: number.value)] }
}

/// A number that increases and decreases; for a recorder, the last recorded value.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let number = AtomicNumber()

    func set(_ value: Int64) { number.value = Double(value) }

    func set(_ value: Double) { number.value = value }

    func increment(by amount: Double) { number.add(amount) }

    func decrement(by amount: Double) { number.add(-amount) }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    var samples: [MetricSample] { [MetricSample(value: number.value)] }
}
