/// A value that a field does not take.
public struct InvalidField: Error, Hashable, Sendable {
    /// The entity's name.
    public let entity: String
    /// The one entity, where it is known.
    public var id: RawID?
    /// The field or column.
    public let field: String
    /// What is wrong with it, as a predicate of the field: "must have 1 to 200 characters".
    public let reason: String

    public init(entity: String, id: RawID? = nil, field: String, reason: String) {
        (self.entity, self.id, self.field, self.reason) = (entity, id, field, reason)
    }

    /// Describes what an entity's initialiser refuses.
    public init<E: Entity>(_ type: E.Type, _ field: String, _ reason: String) {
        self.init(entity: E.entityName, field: field, reason: reason)
    }
}
