/// The number of roots that satisfy a condition, by a column, by each id in a list of links, or by an owned list's
/// length.
///
/// Values and ids without a root have no entry [counts.4]. The number of entries is unlimited [counts.5].
public struct CountRequest: Sendable {
    /// The criterion by which roots are counted.
    public enum Key: Hashable, Sendable {
        /// The value of a column; `null` is not counted [counts.6].
        case column(Int)
        /// Each id in a list of links, once for each root that links to it [counts.7].
        case link(Int)
        /// The number of objects in an owned list, 0 included [counts.8].
        case childCount(Int)
    }

    /// The roots' schema.
    public let schema: EntitySchema
    /// The condition that counted roots satisfy.
    public internal(set) var condition: Condition
    /// The criterion by which they are counted.
    public let key: Key
    /// The copy of the data that answers, and the commit that the counts include.
    public var consistency: ReadConsistency

    /// Requests counts of the roots that satisfy a condition; by default, of the primary copy.
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
