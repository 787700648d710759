/// The progress of a long command, on standard error; silent unless standard error is a terminal.
public struct ProgressBar {
    private static let width = 30
    /// The minimum time between two updates; faster commands show no bar.
    private static let pause = Duration.milliseconds(100)

    private let label: String
    private let isShown: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private var drawn = ""
    private var drawnAt: ContinuousClock.Instant?

    /// Creates a bar that is not drawn yet. Tests replace the clock.
    public init(
        _ label: String, isShown: Bool = Terminal.errorTraits.isMovable,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.label, self.isShown, self.now) = (label, isShown, now)
    }

    /// Draws the count and, if known, the fraction of the whole, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: The number of processed things.
    ///   - fraction: From 0 to 1.
    public mutating func update(done: Int, fraction: Double?) {
        guard isShown else { return }
        let now = now()
        if let drawnAt, now - drawnAt < Self.pause { return }
        let line = Self.line(label, done: done, fraction: fraction)
        guard line != drawn else { return }
        (drawn, drawnAt) = (line, now)
        Terminal.show("\r\u{1B}[K" + line)
    }

    /// Erases the bar.
    public mutating func clear() {
        guard isShown, !drawn.isEmpty else { return }
        (drawn, drawnAt) = ("", nil)
        Terminal.show("\r\u{1B}[K")
    }

    /// One line: `import [######------]  50 %  92`.
    static func line(_ label: String, done: Int, fraction: Double?) -> String {
        guard let fraction else { return "\(label) \(done)" }
        let share = min(1, max(0, fraction))
        let filled = Int((share * Double(width)).rounded(.down))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return "\(label) [\(bar)] \(Int(share * 100)) %  \(done)"
    }
}
