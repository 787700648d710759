internal import LarderDomain

extension ReadRequest {
    /// Lowers a query, without its cursor, to its entity's schema; see ``continued(after:read:)``.
    ///
    /// - Parameter mappers: Those of other entities in the query's conditions.
    init<E: Entity>(
        _ query: Query<E>, _ mapping: Mapping<E>, _ mappers: MapperSet? = nil
    ) throws(PersistencyError) {
        if let limit = query.limit, limit < 1 { throw .unsupportedQuery("a page of \(limit) entities") }
        self.init(
            mapping.schema, where: try Condition(query, mapping, mappers), order: try OrderTerm.terms(query, mapping),
            limit: query.limit, includesTotal: query.includesTotal)
    }
}

extension Condition {
    init<E: Entity>(
        _ query: Query<E>, _ mapping: Mapping<E>, _ mappers: MapperSet? = nil
    ) throws(PersistencyError) {
        var conditions: [Condition] = []
        for predicate in query.predicates {
            conditions.append(try Lowering.condition(of: predicate, mapping))
        }
        for related in query.related {
            let condition = try Self.related(related.other, mapping, mappers)
            conditions.append(related.isNegated ? condition.negated : condition)
        }
        if let search = try LoweredSearch(query, mapping.schema) { conditions += search.conditions }
        self = .all(conditions)
        try checkSealed(in: mapping.schema)
    }
}

extension OrderTerm {
    fileprivate static func terms<E: Entity>(
        _ query: Query<E>, _ mapping: Mapping<E>
    ) throws(PersistencyError) -> [OrderTerm] {
        if let search = try LoweredSearch(query, mapping.schema) { return [search.order] }
        var terms: [OrderTerm] = []
        for sort in query.sort {
            let operand: Operand
            switch mapping.keyPaths[sort.keyPath] {
            case .id: operand = .id
            case .column(let index, _): operand = .column(index)
            default: throw .unsupportedQuery("a sort by \(sort.keyPath.displayName), which is not stored as a value")
            }
            try mapping.schema.checkNotSealed(operand)
            terms.append(OrderTerm(operand, isDescending: sort.order == .descending))
        }
        return terms
    }
}

extension CountRequest {
    /// Lowers a grouping to its entity's schema.
    init<E: Entity, Key>(
        _ query: Query<E>, by grouping: Grouping<E, Key>, _ mapping: Mapping<E>, _ mappers: MapperSet
    ) throws(PersistencyError) {
        let key: CountRequest.Key
        switch (mapping.keyPaths[grouping.keyPath], grouping.isBySize) {
        case (.column(let index, _), false):
            try mapping.schema.checkNotSealed(.column(index))
            key = .column(index)
        case (.links(let index), false): key = .link(index)
        case (.children(let index, _), true): key = .childCount(index)
        default:
            throw .unsupportedQuery(
                "a count by \(grouping.keyPath.displayName), which is not stored as a column or list")
        }
        self.init(mapping.schema, where: try Condition(query, mapping, mappers), by: key)
    }
}

extension Grouping {
    /// The counts of a store by domain values. Stored values whose domain values are equal are counted together.
    func typed(_ counts: [Value: Int], _ mapping: Mapping<E>) throws(PersistencyError) -> [Key: Int] {
        let read = try reader(mapping)
        var typed: [Key: Int] = [:]
        for (value, count) in counts {
            guard let key = read(value) else {
                throw .invalid(
                    InvalidField(entity: E.entityName, field: keyPath.displayName, reason: "is not a \(Key.self)"))
            }
            typed[key, default: 0] += count
        }
        return typed
    }

    func reader(_ mapping: Mapping<E>) throws(PersistencyError) -> (Value) -> Key? {
        if case .column(_, let scale?) = mapping.keyPaths[keyPath], let type = Key.self as? any DecimalValue.Type {
            return { type.init(columnValue: $0, scale: scale) as? Key }
        }
        guard let type = Key.self as? any ColumnValue.Type else {
            throw .unsupportedQuery("a count by \(Key.self), which is not a column type")
        }
        return { type.init(columnValue: $0) as? Key }
    }
}
