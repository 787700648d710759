public import LarderDomain

/// The identity of a root in a store: its schema and id.
public struct EntityKey: Hashable, Sendable {
    /// The root's schema.
    public let schema: EntitySchema
    /// The root's id.
    public let id: RawID

    /// Identifies the root with an id under a schema; it need not exist.
    public init(_ schema: EntitySchema, _ id: RawID) {
        self.schema = schema
        self.id = id
    }

    /// Compares the schema names and the ids.
    public static func == (lhs: EntityKey, rhs: EntityKey) -> Bool {
        lhs.id == rhs.id && (lhs.schema === rhs.schema || lhs.schema.name == rhs.schema.name)
    }

    /// Hashes only the id; equal ids in different schemas are rare.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// The root's reference in errors.
    public var reference: EntityReference { EntityReference(entity: schema.name, id: id) }
}
