internal import CoreMetrics

/// One line, or one group of lines, of a metric: the values under one combination of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// The lines' endings: what follows the metric's name, a label that only this line has, and the value.
    var samples: [MetricSample] { get }
}

/// One line of a series.
struct MetricSample: Sendable, Equatable {
    /// What follows the metric's name.
    var suffix = ""
    /// The upper bound of a bucket.
    var bound: Double?
    let value: Double
}

/// A number that only rises. What is negative or no number is not counted.
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

/// A number that rises and falls; of a recorder, what was recorded last.
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
