public import LarderDomain

/// Something in a store that is not as it must be.
public struct StoreProblem: Sendable, Hashable {
    public let text: String
    /// The object; `nil` where the problem is not about one.
    public let reference: EntityReference?

    public init(text: String, reference: EntityReference? = nil) {
        (self.text, self.reference) = (text, reference)
    }
}

extension StoreProblem: CustomStringConvertible {
    public var description: String { (reference.map { "\($0): " } ?? "") + text }
}
