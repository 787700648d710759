/// The report of a random run: one line in a common format, which can be collected from a log.
public struct RunReport: Sendable, CustomStringConvertible {
    /// The name of the run and of the store.
    public let name: String
    /// The counts.
    public let figure: String
    /// The seed, if the run was random.
    public let seed: UInt64?
    /// The duration.
    public let duration: Duration

    /// Describes a finished run.
    public init(_ name: String, figure: String, seed: UInt64? = RunSize.seed, duration: Duration) {
        self.name = name
        self.figure = figure
        self.seed = seed
        self.duration = duration
    }

    /// `proof: model-based run, memory: 30000 operations, seed 7, 12.3 s`.
    public var description: String {
        let tenths = duration / .milliseconds(100)
        let seconds = "\(Int(tenths) / 10).\(Int(tenths) % 10) s"
        return "proof: \(name): \(figure)\(seed.map { ", seed \($0)" } ?? ""), \(seconds)"
    }
}
