/// All series of one metric.
struct MetricFamily: Sendable {
    /// The metric types of the exposition format.
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    let name: String
    let kind: Kind
    private(set) var series: [MetricLabels: any MetricSeries] = [:]
    /// The series for labels beyond the limit.
    private var overflow: (any MetricSeries)?
    private var overflowLabels: MetricLabels?

    init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The series with these labels, created at first use. Beyond the limit, one series for all other labels, whose
    /// values are `other`.
    mutating func series(_ dimensions: [(String, String)], limit: Int, make: () -> any MetricSeries) -> any MetricSeries
    {
        let labels = MetricLabels(dimensions)
        if let known = series[labels] ?? overflow.flatMap({ _ in series.count >= limit ? overflow : nil }) {
            return known
        }
        let made = make()
        if series.count < limit {
            series[labels] = made
        } else {
            overflow = made
            overflowLabels = MetricLabels(dimensions.map { ($0.0, "other") })
        }
        return made
    }

    /// The lines of the metric, sorted by labels.
    func lines(help: String?) -> [String] {
        var all = series
        if let overflow, let overflowLabels { all[overflowLabels] = overflow }
        let type = "# TYPE \(name) \(kind.rawValue)"
        let head = help.map { ["# HELP \(name) \(Self.escaped($0))", type] } ?? [type]
        return all.sorted { $0.key.text < $1.key.text }.reduce(into: head) { lines, entry in
            lines += entry.value.samples.map { line($0, entry.key.text) }
        }
    }

    private func line(_ sample: MetricSample, _ labels: String) -> String {
        let bound = sample.bound.map { "le=\"\(Self.shown($0))\"" } ?? ""
        let all = [labels, bound].filter { !$0.isEmpty }.joined(separator: ",")
        return name + sample.suffix + (all.isEmpty ? "" : "{\(all)}") + " " + Self.shown(sample.value)
    }

    /// Integers without a fraction; other numbers with as many digits as parsing needs to restore them.
    private static func shown(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func escaped(_ help: String) -> String {
        help.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
    }
}
