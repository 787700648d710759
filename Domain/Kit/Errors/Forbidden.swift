/// What a caller may not do.
public struct Forbidden: Hashable, Sendable {
    /// What was tried.
    public enum Action: String, Sendable {
        case creating, changing, deleting
        /// Anything at all: nobody stated what is allowed.
        case using
    }

    /// What was tried.
    public let action: Action
    /// The entity's name.
    public let entity: String
    /// Which one; `nil` where it was about none that is stored.
    public let id: RawID?

    public init(_ action: Action, _ entity: String, _ id: RawID? = nil) {
        (self.action, self.entity, self.id) = (action, entity, id)
    }
}

extension Forbidden: CustomStringConvertible {
    /// `changing recipe 0199…`.
    public var description: String { "\(action.rawValue) \(entity)" + (id.map { " \($0)" } ?? "") }
}
