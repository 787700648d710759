internal import LarderDomain

extension BulkChange {
    /// Lowers an update to its entity's schema; `nil` if it changes nothing.
    init?<E: Entity>(
        _ update: BulkUpdate<E>, of query: Query<E>, _ mapping: Mapping<E>, _ mappers: MapperSet
    ) throws(PersistencyError) {
        guard query.limit == nil, query.after == nil, query.before == nil, query.sort.isEmpty, !query.includesTotal
        else {
            throw .unsupportedQuery("an update of \(E.entityName) by a query with a page, an order or a total")
        }
        var assignments: [Int: ColumnAssignment] = [:]
        for assignment in update.assignments {
            let (index, valid) = try Self.settable(assignment, mapping)
            do throws(ValueRefusal) {
                let column = mapping.schema.columns[index]
                let type = Swift.type(of: assignment.property).valueType
                let change = try column.change(assignment.change, of: type, valid)
                assignments[index] = change.map { ColumnAssignment(column: index, $0) }
            } catch {
                let field = mapping.schema.columns[index].name
                throw .invalid(InvalidField(entity: E.entityName, field: field, reason: error.reason))
            }
        }
        if assignments.isEmpty { return nil }
        self.init(mapping.schema, where: try Condition(query, mapping, mappers), Array(assignments.values))
    }

    /// The column of a property that an update by query may change, and its valid values.
    private static func settable<E: Entity>(
        _ assignment: BulkUpdate<E>.Assignment, _ mapping: Mapping<E>
    ) throws(PersistencyError) -> (column: Int, ValidValues) {
        let property = assignment.property
        let what = "an update of \(E.entityName) by query of \(property.displayName)"
        guard case .column(let index, _) = mapping.keyPaths[property], let valid = mapping.settable[index] else {
            throw .unsupportedQuery("\(what), which is not declared as settable")
        }
        if case .set = assignment.change {
        } else if valid.range == nil {
            throw .unsupportedQuery("\(what) by an amount, without a range of valid values")
        }
        let (schema, column) = (mapping.schema, mapping.schema.columns[index])
        let isFolded = schema.columns.contains { $0.isDerived && $0.name == column.name + "_folded" }
        guard column.sealing == nil, !column.isDerived, !isFolded, column.reference?.isOwning != true,
            schema.ownerColumn != index
        else { throw .unsupportedQuery("\(what), which is sealed, derived, folded, owned or the owner") }
        return (index, valid)
    }
}

extension Column {
    /// The change of the column by that of its property; `nil` if it adds nothing.
    fileprivate func change<E>(
        _ change: BulkUpdate<E>.Change, of type: Any.Type, _ valid: ValidValues
    ) throws(ValueRefusal) -> ColumnAssignment.Change? {
        let amount: Value?
        switch change {
        case .set(let new):
            guard let value = try value(new, as: type) else { throw ValueRefusal("must be a \(type)") }
            guard valid.contain(value) else { throw ValueRefusal("must be \(valid.text)") }
            return .set(value)
        case .add(let number): amount = .integer(Int64(number))
        case .addDecimal(let decimal): amount = try value(decimal, as: ExactDecimal.self)
        case .addDuration(let duration): amount = try duration.columnValue()
        }
        guard case .integer(let amount) = amount, amount != 0, let (least, greatest) = valid.range else { return nil }
        return .add(amount, least, greatest, valid.text)
    }

    /// The stored form of a value of a property's type; `nil` for another type.
    func value(_ value: any Sendable, as type: Any.Type) throws(ValueRefusal) -> Value? {
        func encoded<V: ColumnValue>(_: V.Type) throws(ValueRefusal) -> Value? { try (value as? V)?.columnValue() }
        func units<V: DecimalValue>(_: V.Type, _ scale: Int) throws(ValueRefusal) -> Value? {
            try (value as? V)?.columnValue(scale: scale)
        }
        if let scale, let type = type as? any DecimalValue.Type { return try units(type, scale) }
        return try (type as? any ColumnValue.Type).flatMap { (type) throws(ValueRefusal) in try encoded(type) }
    }
}
