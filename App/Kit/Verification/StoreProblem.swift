public import LarderDomain

/// An inconsistency in a store.
public struct StoreProblem: Sendable, Hashable {
    /// The problem, as a message for an operator.
    public let text: String
    /// The object; `nil` if the problem does not concern one object.
    public let reference: EntityReference?

    /// Describes a problem; without a reference, of the store as a whole.
    public init(text: String, reference: EntityReference? = nil) {
        (self.text, self.reference) = (text, reference)
    }
}

extension StoreProblem: CustomStringConvertible {
    public var description: String { (reference.map { "\($0): " } ?? "") + text }
}
