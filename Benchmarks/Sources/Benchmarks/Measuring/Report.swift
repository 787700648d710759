/// The tables that the benchmark prints.
enum Report {
    static func print(_ comparisons: [Comparison]) {
        guard let sides = comparisons.first?.plan.sides.map(\.name) else { return }
        row("", [sides[0] + " µs"] + sides.dropFirst().map { "\($0): ratio" } + ["target"], width: width)
        for comparison in comparisons {
            let ratios = sides.indices.dropFirst().map(comparison.ratio)
            print(comparison.plan.work, comparison.floor.median, ratios, target: comparison.plan.target)
        }
    }

    /// Prints a figure, its ratios, and the target of the first ratio.
    static func print(_ name: String, _ figure: Double, _ ratios: [Spread], target: Double?) {
        let cells = [decimal(figure)] + ratios.map(text) + [target.map(decimal) ?? ""]
        row(name, cells, ratios.first?.verdict(target) ?? "", width: width)
    }

    /// Wide enough for a ratio with its spread.
    static let width = 20

    private static func text(_ spread: Spread) -> String {
        "\(decimal(spread.median)) (\(decimal(spread.least))-\(decimal(spread.greatest)))"
    }

    static func print(_ lateness: [(name: String, Lateness)]) {
        if lateness.isEmpty { return }
        Swift.print()
        row("milliseconds that a timer of 1 ms is late", ["p50", "p99", "worst", "p99 limit"])
        for (name, lateness) in lateness {
            let p99 = lateness.percentile(0.99)
            row(
                name, [lateness.percentile(0.5), p99, lateness.worst, Lateness.limit].map(decimal),
                p99 > Lateness.limit ? "missed" : "met")
        }
    }

    static func row(_ name: String, _ cells: [String], _ verdict: String = "", width: Int = 10) {
        let padded = cells.map { String(repeating: " ", count: max(1, width - $0.count)) + $0 }
        let name = name + String(repeating: " ", count: max(0, 48 - name.count))
        Swift.print(name + padded.joined() + (verdict.isEmpty ? "" : "  " + verdict))
    }

    /// Two decimal places.
    static func decimal(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded().magnitude)
        return (number < 0 ? "-" : "") + "\(hundredths / 100)." + String(hundredths % 100 + 100).dropFirst()
    }
}
