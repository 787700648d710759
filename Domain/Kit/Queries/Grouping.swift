/// The key by which counts and aggregates group entities.
public struct Grouping<E: Entity, Key: Hashable & Sendable>: Sendable {
    /// The property or relationship.
    public let keyPath: any PartialKeyPath<E> & Sendable

    /// Whether the key is the number of members, and not each member.
    public private(set) var isBySize = false

    /// The calendar unit that the key is the first day of.
    package private(set) var unit: CalendarUnit?

    /// Groups by the value of a property.
    public static func value(_ keyPath: any KeyPath<E, Key> & Sendable) -> Grouping { Grouping(keyPath: keyPath) }

    /// Groups by the value of a property; entities with `nil` are not counted.
    public static func value(_ keyPath: any KeyPath<E, Key?> & Sendable) -> Grouping { Grouping(keyPath: keyPath) }

    /// Groups by a part of an optional value object; entities without the object are not counted.
    public static func value<Whole>(
        _ keyPath: any KeyPath<E, Whole?> & Sendable, part: any KeyPath<Whole, Key> & Sendable
    ) -> Grouping {
        Grouping(keyPath: keyPath.part(part))
    }

    /// Groups by each target of a relationship. A referring entity is counted once for each of its targets.
    public static func members<Target>(_ keyPath: any KeyPath<E, [Key]> & Sendable) -> Grouping
    where Key == EntityID<Target> {
        Grouping(keyPath: keyPath)
    }

    /// Groups by the number of objects in an owned list, 0 included.
    public static func size<Member>(_ keyPath: any KeyPath<E, [Member]> & Sendable) -> Grouping where Key == Int {
        Grouping(keyPath: keyPath, isBySize: true)
    }
}
