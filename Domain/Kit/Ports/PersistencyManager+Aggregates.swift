extension PersistencyManager {
    /// Figures of the entities that match a query, for each group of them, in one snapshot.
    ///
    /// ```swift
    /// let lines = try await manager.aggregates(
    ///     Query<Loan>(), by: .value(\.member), .month(of: \.due), of: .count, .sum(\.fee),
    ///     sortedBy: [.value(1, .descending)], limit: 10)
    /// for line in lines { print(line.keys.0, line.values.1) }
    /// ```
    ///
    /// Without keys, there is one group of all entities, also if there are none [figure.2]. An entity without a value
    /// for a key is in no group [figure.3], and one with several members of a relationship in one group for each
    /// [figure.4]. The query's order and page are ignored.
    ///
    /// - Parameters:
    ///   - query: The predicates that the entities satisfy.
    ///   - keys: Up to three keys.
    ///   - figures: The figures.
    ///   - order: The order of the groups; then, and by default, by their keys [figure.5].
    ///   - limit: The maximum number of groups, the first ones; `nil` for all.
    /// - Complexity: O(*n*) for *n* entities, in the store. All groups are sent to the process, also with a limit.
    /// - Throws: `unsupportedQuery` for a property that is not stored as a value of a permitted type, a sum beyond 64
    ///   bits, and a manager without aggregates.
    public func aggregates<E: Entity, each Key: Hashable & Sendable, each Result: Sendable>(
        _ query: Query<E>, by keys: repeat Grouping<E, each Key>, of figures: repeat Aggregate<E, each Result>,
        sortedBy order: [AggregateSort] = [], limit: Int? = nil
    ) async throws(PersistencyError) -> [(keys: (repeat each Key), values: (repeat each Result))] {
        var (untypedKeys, untypedFigures) = ([any AggregationKey<E>](), [any AggregationFigure<E>]())
        for key in repeat each keys { untypedKeys.append(key) }
        for figure in repeat each figures { untypedFigures.append(figure) }
        let groups = try await aggregates(
            query, Aggregation(keys: untypedKeys, figures: untypedFigures, order: order, limit: limit))
        var rows: [(keys: (repeat each Key), values: (repeat each Result))] = []
        for group in groups {
            var (keys, values) = (group.keys.makeIterator(), group.values.makeIterator())
            rows.append(
                (
                    keys: (repeat try next(of: &keys, (each Key).self)),
                    values: (repeat try next(of: &values, (each Result).self))
                )
            )
        }
        return rows
    }

    private func next<Value>(
        of values: inout IndexingIterator<[any Sendable]>, _ type: Value.Type
    ) throws(PersistencyError) -> Value {
        guard let value = values.next() as? Value else { throw .unsupportedQuery("aggregates of type \(Value.self)") }
        return value
    }
}
