/// A difference between a store's answer and the model's, with a minimal tape that reproduces it.
public struct ModelDisagreement: Error, Sendable {
    /// The kind of store.
    public let store: String
    /// The input of ``ModelRun/replay(_:)``: hexadecimal digits, with a hyphen between operations.
    public let tape: String
    /// The seed of the run.
    public let seed: UInt64
    /// The operations and answers; the last one is wrong.
    public let steps: [String]
    /// The difference.
    public let reason: String
}

extension ModelDisagreement: CustomStringConvertible {
    /// A report of many lines.
    public var description: String {
        """
        \(store) disagrees with the model: \(reason)
        steps:
        \(steps.map { "  \($0)" }.joined(separator: "\n"))
        seed: \(seed)
        tape: \(tape)
        """
    }
}
