/// An entity with the version at which it was read.
///
/// A version belongs to the root of an aggregate, is 1 when the entity is created and rises by one with each change.
/// Hand it to ``PersistencyManager/update(_:expecting:)`` and nobody's change in between is overwritten.
@dynamicMemberLookup
public struct Stored<E: Entity>: Sendable, Equatable {
    /// What was stored.
    public var entity: E
    /// The version that was read, at least 1.
    public let version: Int64

    /// Pairs an entity with its version; for the managers.
    @inlinable
    public init(_ entity: E, version: Int64) {
        self.entity = entity
        self.version = version
    }

    /// The entity's id.
    public var id: EntityID<E> { entity.id }

    /// The entity's own properties.
    public subscript<Value>(dynamicMember keyPath: KeyPath<E, Value>) -> Value { entity[keyPath: keyPath] }
}
