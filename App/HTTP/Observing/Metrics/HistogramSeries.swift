internal import CoreMetrics
private import Synchronization

/// A histogram: the number of values in each bucket, and their sum.
final class HistogramSeries: MetricSeries, TimerHandler, RecorderHandler {
    private struct State {
        /// The count of each bucket, and last the count of greater values; not cumulative.
        var counts: [UInt64]
        var sum = 0.0
    }

    /// The inclusive upper bounds, ascending.
    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    /// If the clock was set back, a duration is zero rather than negative.
    func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        // Linear search: most values are small, and there are few bounds.
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    var samples: [MetricSample] {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var total: UInt64 = 0
        let buckets = zip(bounds + [.infinity], counts).map { bound, count in
            total += count
            return MetricSample(suffix: "_bucket", bound: bound, value: Double(total))
        }
        return buckets + [
            MetricSample(suffix: "_sum", value: sum), MetricSample(suffix: "_count", value: Double(total)),
        ]
    }
}
