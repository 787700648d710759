/// An ordered list of objects that an entity owns. Each object is a row of another schema, and in one list only.
public struct ChildRelationship: Sendable {
    /// The name of the list, in the plural: `steps`.
    public let name: String
    /// The owned objects' schema; it has no version of its own.
    public let schema: EntitySchema

    public init(name: String, schema: EntitySchema) {
        self.name = name
        self.schema = schema
    }
}

/// An ordered list of ids of other entities, which may hold an id more than once: the owning side of a many-to-many
/// relationship. The other side is a query.
public struct LinkRelationship: Hashable, Sendable {
    /// The name of the list, in the plural: `tags`.
    public let name: String
    /// The name of the schema referred to; that of a root.
    public let target: String
    /// What happens when a target is deleted.
    public let onDelete: DeleteRule

    public init(name: String, target: String, onDelete: DeleteRule) {
        (self.name, self.target, self.onDelete) = (name, target, onDelete)
    }
}
