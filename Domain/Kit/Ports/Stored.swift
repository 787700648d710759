/// An entity with its version when read.
///
/// The version belongs to the root of an aggregate: 1 when the entity is created, raised by one with each change. Pass
/// it to ``PersistencyManager/update(_:expecting:)`` to avoid overwriting concurrent changes.
@dynamicMemberLookup
public struct Stored<E: Entity>: Sendable, Equatable {
    /// The entity.
    public var entity: E
    /// The version when read, at least 1.
    public let version: Int64

    /// Combines an entity with its version; for managers.
    @inlinable
    public init(_ entity: E, version: Int64) {
        self.entity = entity
        self.version = version
    }

    /// The entity's id.
    public var id: EntityID<E> { entity.id }

    /// Forwards to the entity's properties.
    public subscript<Value>(dynamicMember keyPath: KeyPath<E, Value>) -> Value { entity[keyPath: keyPath] }
}
