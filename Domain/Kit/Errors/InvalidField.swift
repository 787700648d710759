/// An invalid value of a field.
public struct InvalidField: Error, Hashable, Sendable {
    /// The entity's name [invalid.1].
    public let entity: String
    /// The id of the entity, if known [invalid.2].
    public var id: RawID?
    /// The field or column [invalid.3].
    public let field: String
    /// The violated rule, as a predicate of the field: "must have 1 to 200 characters".
    public let reason: String

    /// Describes an invalid value of an entity that is known by name.
    public init(entity: String, id: RawID? = nil, field: String, reason: String) {
        (self.entity, self.id, self.field, self.reason) = (entity, id, field, reason)
    }

    /// Describes a value that an entity's initialiser rejects.
    public init<E: Entity>(_ type: E.Type, _ field: String, _ reason: String) {
        self.init(entity: E.entityName, field: field, reason: reason)
    }
}
