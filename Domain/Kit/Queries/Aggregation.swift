/// The figures of the entities that match a query, for each group of them; the untyped form of
/// ``PersistencyManager/aggregates(_:by:of:sortedBy:limit:)``.
public struct Aggregation<E: Entity>: Sendable {
    package let keys: [any AggregationKey<E>]
    package let figures: [any AggregationFigure<E>]
    package let order: [AggregateSort]
    package let limit: Int?
}

/// An order of groups.
public enum AggregateSort: Hashable, Sendable {
    /// By the key with an index.
    case key(Int = 0, SortDirection = .ascending)
    /// By the figure with an index.
    case value(Int = 0, SortDirection = .ascending)
}

/// One group: its keys and figures, of the types that the aggregation declares.
public struct AggregateGroup: Sendable {
    /// The keys.
    package let keys: [any Sendable]
    /// The figures.
    package let values: [any Sendable]

    /// Creates a group; for managers.
    public init(keys: [any Sendable], values: [any Sendable]) {
        (self.keys, self.values) = (keys, values)
    }
}

package protocol AggregationKey<E>: Sendable {
    associatedtype E: Entity
    associatedtype Key: Hashable & Sendable
    var grouping: Grouping<E, Key> { get }
}

extension Grouping: AggregationKey {
    package var grouping: Grouping<E, Key> { self }
}

package protocol AggregationFigure<E>: Sendable {
    associatedtype E: Entity
    associatedtype Result: Sendable
    var aggregate: Aggregate<E, Result> { get }
}

extension Aggregate: AggregationFigure {
    package var aggregate: Aggregate<E, Result> { self }
}
