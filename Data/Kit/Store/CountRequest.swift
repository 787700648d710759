/// How many roots satisfy a condition, by a column, by each id in a list of links, or by the length of an owned list.
///
/// Values and ids without a root have no entry, and there may be any number of entries.
public struct CountRequest: Sendable {
    /// What roots are counted by.
    public enum Key: Hashable, Sendable {
        /// The value of a column; `null` is not counted.
        case column(Int)
        /// Each id in a list of links, once for each root that holds it.
        case link(Int)
        /// The number of objects in an owned list, 0 included.
        case childCount(Int)
    }

    /// The roots' schema.
    public let schema: EntitySchema
    /// What they must satisfy.
    public let condition: Condition
    /// What they are counted by.
    public let key: Key
    /// Which copy of the data answers, and which commit the counts include.
    public let consistency: ReadConsistency

    public init(
        _ schema: EntitySchema, where condition: Condition, by key: Key,
        consistency: ReadConsistency = ReadConsistency()
    ) {
        self.schema = schema
        self.condition = condition
        self.key = key
        self.consistency = consistency
    }

    /// The keys under which one root counts.
    public func keys(of object: StorageObject) -> Set<Value> {
        switch key {
        case .column(let index): object.values[index] == .null ? [] : [object.values[index]]
        case .link(let index): Set(object.links[index].map(Value.id))
        case .childCount(let index): [.integer(Int64(object.children[index].count))]
        }
    }
}
