public import LarderDomain

/// One root in a store: which schema, which id.
public struct EntityKey: Hashable, Sendable {
    /// The root's schema.
    public let schema: EntitySchema
    /// The root's id.
    public let id: RawID

    public init(_ schema: EntitySchema, _ id: RawID) {
        self.schema = schema
        self.id = id
    }

    /// Same schema name, same id.
    public static func == (lhs: EntityKey, rhs: EntityKey) -> Bool {
        lhs.id == rhs.id && (lhs.schema === rhs.schema || lhs.schema.name == rhs.schema.name)
    }

    /// Hashes the id; ids of different schemas hardly ever meet.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// The root's name in errors.
    public var reference: EntityReference { EntityReference(entity: schema.name, id: id) }
}
