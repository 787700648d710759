/// What entities are counted by.
public struct Grouping<E: Entity, Key: Hashable & Sendable>: Sendable {
    /// The property or relationship.
    public let keyPath: any PartialKeyPath<E> & Sendable

    private init(keyPath: any PartialKeyPath<E> & Sendable) {
        self.keyPath = keyPath
    }

    /// By the value of a property.
    public static func value(_ keyPath: any KeyPath<E, Key> & Sendable) -> Grouping { Grouping(keyPath: keyPath) }

    /// By the value of a property; where it is `nil` the entity is not counted.
    public static func value(_ keyPath: any KeyPath<E, Key?> & Sendable) -> Grouping { Grouping(keyPath: keyPath) }

    /// By each entity that a relationship refers to, once for each entity that refers to it.
    public static func members<Target>(_ keyPath: any KeyPath<E, [Key]> & Sendable) -> Grouping
    where Key == EntityID<Target> {
        Grouping(keyPath: keyPath)
    }
}
