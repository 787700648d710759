/// What a store answered otherwise than the model, with the least that is needed to see it.
public struct ModelDisagreement: Error, Sendable {
    /// The kind of store.
    public let store: String
    /// What ``ModelRun/replay(_:)`` plays again: hexadecimal digits, a hyphen between operations.
    public let tape: String
    /// What the run was made from.
    public let seed: UInt64
    /// What was done and answered, the last one being what is wrong.
    public let steps: [String]
    /// What is wrong with it.
    public let reason: String
}

extension ModelDisagreement: CustomStringConvertible {
    /// Many lines for a person.
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
