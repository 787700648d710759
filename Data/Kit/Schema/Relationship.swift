/// An ordered list of objects that an entity owns. Each object is a row of another schema, in exactly one list.
public struct ChildRelationship: Sendable {
    /// The name of the list, in the plural: `steps`.
    public let name: String
    /// The schema of the owned objects, which have no version.
    public let schema: EntitySchema

    /// Creates a list of owned objects of a schema.
    public init(name: String, schema: EntitySchema) {
        self.name = name
        self.schema = schema
    }
}

/// An ordered list of ids of other entities, possibly with duplicates: the owning side of a many-to-many relationship.
/// The other side is a query.
public struct LinkRelationship: Hashable, Sendable {
    /// The name of the list, in the plural: `tags`.
    public let name: String
    /// The name of the referenced schema, which must be a root.
    public let target: String
    /// The effect of the deletion of a target.
    public let onDelete: DeleteRule

    /// Creates a list of links to roots of a schema.
    public init(name: String, target: String, onDelete: DeleteRule) {
        (self.name, self.target, self.onDelete) = (name, target, onDelete)
    }
}
