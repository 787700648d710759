/// The tables that the benchmark prints.
enum Report {
    static func print(_ comparisons: [Comparison]) {
        if comparisons.isEmpty { return }
        row("microseconds for each operation", ["C API", "Larder", "ratio", "target"])
        for comparison in comparisons {
            row(
                comparison.work.name,
                [
                    decimal(comparison.floor), decimal(comparison.kit), decimal(comparison.ratio),
                    comparison.work.target.map(decimal) ?? "",
                    comparison.isMissed ? "  missed" : "",
                ])
        }
    }

    static func print(_ lateness: [(name: String, Lateness)]) {
        if lateness.isEmpty { return }
        Swift.print()
        row("milliseconds that a timer of 1 ms is late", ["p50", "p99", "worst"])
        for (name, lateness) in lateness {
            row(
                name,
                [decimal(lateness.percentile(0.5)), decimal(lateness.percentile(0.99)), decimal(lateness.worst)])
        }
    }

    static func row(_ name: String, _ cells: [String]) {
        let padded = cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }
        Swift.print(name + String(repeating: " ", count: max(0, 48 - name.count)) + padded.joined())
    }

    /// Two places behind the point.
    static func decimal(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100)." + String(hundredths % 100 + 100).dropFirst()
    }
}
