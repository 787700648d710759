/// What entities are counted by.
public struct Grouping<E: Entity, Key: Hashable & Sendable>: Sendable {
    /// The property or relationship.
    public let keyPath: any PartialKeyPath<E> & Sendable

    /// Whether entities are counted by the number of members and not by each member.
    public let isBySize: Bool

    private init(keyPath: any PartialKeyPath<E> & Sendable, isBySize: Bool = false) {
        self.keyPath = keyPath
        self.isBySize = isBySize
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

    /// By the number of objects in an owned list, 0 included.
    public static func size<Member>(_ keyPath: any KeyPath<E, [Member]> & Sendable) -> Grouping where Key == Int {
        Grouping(keyPath: keyPath, isBySize: true)
    }
}
