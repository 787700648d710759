/// What a run of random work did: one line, the same for all runs, so that they can be collected from a log.
public struct RunReport: Sendable, CustomStringConvertible {
    /// What ran, and on which store.
    public let name: String
    /// What was counted.
    public let figure: String
    /// What repeats the run, if it was random.
    public let seed: UInt64?
    /// How long it took.
    public let duration: Duration

    /// Describes a run that is over.
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
