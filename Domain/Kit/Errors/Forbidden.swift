/// An action that the caller's policies do not permit.
public struct Forbidden: Hashable, Sendable {
    /// The kind of action.
    public enum Action: String, Sendable {
        /// Storing a new entity.
        case creating
        /// Storing other values of an entity.
        case changing
        /// Deleting an entity.
        case deleting
        /// Any access: the caller has no policy for the entity type.
        case using
    }

    /// The rejected action.
    public let action: Action
    /// The entity's name.
    public let entity: String
    /// The id of the stored entity; `nil` if the action concerns none.
    public let id: RawID?

    /// Describes a rejected action; without an id, one that concerns no stored entity.
    public init(_ action: Action, _ entity: String, _ id: RawID? = nil) {
        (self.action, self.entity, self.id) = (action, entity, id)
    }
}

extension Forbidden: CustomStringConvertible {
    /// `changing recipe 0199…`.
    public var description: String { "\(action.rawValue) \(entity)" + (id.map { " \($0)" } ?? "") }
}
