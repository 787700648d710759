internal import LarderDomain

extension Aggregation {
    /// Lowers the aggregates of a query to the schema of its entity.
    func request(
        _ query: Query<E>, _ mapping: Mapping<E>, _ mappers: MapperSet
    ) throws(PersistencyError) -> AggregateRequest {
        if keys.count > 3 { throw .unsupportedQuery("aggregates by more than three keys") }
        if let limit, limit < 1 { throw .unsupportedQuery("aggregates of \(limit) groups") }
        for sort in order where !indices(sort).contains(sort.index) {
            throw .unsupportedQuery("an order of aggregates by \(sort)")
        }
        var (loweredKeys, loweredFigures) = ([AggregateRequest.Key](), [AggregateRequest.Figure]())
        for key in keys { loweredKeys.append(try key.lowered(mapping)) }
        for figure in figures { loweredFigures.append(try figure.lowered(mapping)) }
        return AggregateRequest(
            mapping.schema, where: try Condition(query, mapping, mappers), by: loweredKeys, of: loweredFigures)
    }

    private func indices(_ sort: AggregateSort) -> Range<Int> {
        if case .key = sort { keys.indices } else { figures.indices }
    }

    /// The groups with domain values, in order.
    func typed(_ table: AggregateTable, _ mapping: Mapping<E>) throws(PersistencyError) -> [AggregateGroup] {
        var units = table
        if keys.contains(where: { $0.unit != nil }) {
            units.removeAll()
            for (group, values) in table.groups {
                var inUnits: [Value] = []
                for (key, value) in zip(keys, group) { inUnits.append(try key.firstDay(of: value) ?? value) }
                units.add(values, to: inUnits)
            }
        }
        var groups: [AggregateGroup] = []
        for group in units.groups.sorted(by: precedes).prefix(limit ?? .max) {
            var (typedKeys, typedValues) = ([any Sendable](), [any Sendable]())
            for (key, value) in zip(keys, group.key) { typedKeys.append(try key.typed(value, mapping)) }
            for (figure, value) in zip(figures, group.value) { typedValues.append(try figure.typed(value, mapping)) }
            groups.append(AggregateGroup(keys: typedKeys, values: typedValues))
        }
        return groups
    }

    private typealias Group = (key: [Value], value: [AggregateValue])

    private func precedes(_ lhs: Group, _ rhs: Group) -> Bool {
        for sort in order {
            let (ascends, descends) =
                switch sort {
                case .key(let index, _): precede(lhs.key[index], rhs.key[index])
                case .value(let index, _): precede(lhs.value[index].order, rhs.value[index].order)
                }
            if ascends || descends { return sort.isDescending ? descends : ascends }
        }
        for (left, right) in zip(lhs.key, rhs.key) where left != right { return Value.precedes(left, right) }
        return false
    }

    private func precede(_ lhs: Value, _ rhs: Value) -> (Bool, Bool) {
        (Value.precedes(lhs, rhs), Value.precedes(rhs, lhs))
    }

    private func precede(_ lhs: (Int128, Value), _ rhs: (Int128, Value)) -> (Bool, Bool) {
        lhs.0 == rhs.0 ? precede(lhs.1, rhs.1) : (lhs.0 < rhs.0, lhs.0 > rhs.0)
    }
}

extension AggregateSort {
    fileprivate var index: Int {
        switch self {
        case .key(let index, _), .value(let index, _): index
        }
    }

    fileprivate var isDescending: Bool {
        switch self {
        case .key(_, let direction), .value(_, let direction): direction == .descending
        }
    }
}

extension AggregateValue {
    /// The order of figures of one kind.
    fileprivate var order: (Int128, Value) {
        switch self {
        case .count(let count): (Int128(count), .null)
        case .sum(let sum, _): (sum, .null)
        case .extreme(let value): (0, value)
        }
    }
}

extension AggregationKey {
    fileprivate var unit: CalendarUnit? { grouping.unit }

    fileprivate func lowered(_ mapping: Mapping<E>) throws(PersistencyError) -> AggregateRequest.Key {
        let grouping = grouping
        switch (mapping.keyPaths[grouping.keyPath], grouping.isBySize) {
        case (.column(let index, _), false):
            try mapping.schema.checkNotSealed(.column(index))
            let isInstant = mapping.schema.columns[index].type == .timestamp
            return grouping.unit != nil && isInstant ? .day(index) : .column(index)
        case (.links(let index), false): return .link(index)
        case (.children(let index, _), true): return .childCount(index)
        default:
            throw .unsupportedQuery(
                "aggregates by \(grouping.keyPath.displayName), which is not stored as a column or list")
        }
    }

    /// The first day of the key's unit, as text; `nil` for a key without a unit.
    fileprivate func firstDay(of value: Value) throws(PersistencyError) -> Value? {
        guard let unit else { return nil }
        let day: CalendarDay? =
            switch value {
            case .integer(let days): CalendarDay(year: 1970, month: 1, day: 1)?.adding(days: Int(days))
            case .text(let text): CalendarDay(text)
            default: nil
            }
        guard let day else { throw .unsupportedQuery("a day outside the years 1 to 9999") }
        let first =
            switch unit {
            case .day: day
            case .month: CalendarDay(year: day.year, month: day.month, day: 1)
            case .year: CalendarDay(year: day.year, month: 1, day: 1)
            }
        return first.map { .text($0.description) }
    }

    fileprivate func typed(_ value: Value, _ mapping: Mapping<E>) throws(PersistencyError) -> any Sendable {
        let grouping = grouping
        guard let key = try grouping.reader(mapping)(value) else {
            throw grouping.keyPath.unreadable(as: Key.self, of: E.self)
        }
        return key
    }
}

extension AggregationFigure {
    fileprivate func lowered(_ mapping: Mapping<E>) throws(PersistencyError) -> AggregateRequest.Figure {
        let aggregate = aggregate
        guard let keyPath = aggregate.keyPath else { return .count }
        guard case .column(let index, _) = mapping.keyPaths[keyPath] else {
            throw .unsupportedQuery("an aggregate of \(keyPath.displayName), which is not stored as a value")
        }
        try mapping.schema.checkNotSealed(.column(index))
        let type = mapping.schema.columns[index].type
        switch aggregate.figure {
        case .sum where type == .integer: return .sum(index)
        case .extreme(let extreme, _, _) where [.integer, .real, .timestamp, .day].contains(type):
            return extreme == .minimum ? .minimum(index) : .maximum(index)
        default:
            throw .unsupportedQuery(
                "an aggregate of \(keyPath.displayName): only integers, decimals, reals, instants and days have one")
        }
    }

    fileprivate func typed(_ value: AggregateValue, _ mapping: Mapping<E>) throws(PersistencyError) -> any Sendable {
        let aggregate = aggregate
        let keyPath: AnyKeyPath = aggregate.keyPath ?? \E.self
        var scale: Int?
        if case .column(_, let found) = mapping.keyPaths[keyPath] { scale = found }
        switch (aggregate.figure, value) {
        case (.count(let result), .count(let count)): return result(count)
        case (.sum(let result), .sum(let sum, let count)):
            guard let units = Int64(exactly: sum) else {
                throw .unsupportedQuery("the sum of \(keyPath.displayName), \(sum), is beyond 64 bits")
            }
            return result(units, scale, count)
        case (.extreme(_, let type, let result), .extreme(let value)):
            var found: (any Sendable)?
            if value != .null {
                if let scale, let type = type as? any DecimalValue.Type {
                    found = type.init(columnValue: value, scale: scale)
                } else if let type = type as? any ColumnValue.Type {
                    found = type.init(columnValue: value)
                }
                if found == nil { throw keyPath.unreadable(as: type, of: E.self) }
            }
            if let result = result(found) { return result }
        default: break
        }
        throw keyPath.unreadable(as: Result.self, of: E.self)
    }
}

extension AnyKeyPath {
    fileprivate func unreadable<E: Entity>(as type: Any.Type, of: E.Type) -> PersistencyError {
        .invalid(InvalidField(entity: E.entityName, field: displayName, reason: "is not a \(type)"))
    }
}
