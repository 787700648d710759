/// The name and id of an entity or owned object, without its type.
public struct EntityReference: Hashable, Sendable, CustomStringConvertible {
    /// The entity's name, equal to its schema's name; see ``Entity/entityName``.
    public let entity: String
    /// Its id.
    public let id: RawID

    /// References an entity or owned object by its name and untyped id.
    public init(entity: String, id: RawID) {
        self.entity = entity
        self.id = id
    }

    /// References an entity by its typed id.
    public init<E: Entity>(_ id: EntityID<E>) {
        self.init(entity: E.entityName, id: id.rawValue)
    }

    /// Hashes only the id: equal ids under different names are rare.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// For example `recipe 0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87`.
    public var description: String { "\(entity) \(id)" }
}
