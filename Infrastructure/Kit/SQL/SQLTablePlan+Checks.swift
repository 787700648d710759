internal import LarderData
internal import LarderDomain

/// What a change set may not bring, whoever made it: more or fewer values than columns, or values of another type.
extension SQLTablePlan {
    func check(_ object: StorageObject) throws(PersistencyError) {
        guard object.values.count == schema.columns.count, object.children.count == children.count,
            object.links.count == links.count
        else { throw undeclared(object.id) }
        for index in columnTypes.indices { try check(object.values[index], at: index, of: object.id) }
    }

    /// The changes of columns, if there are such columns and they take the values.
    func checked(_ changes: [ColumnChange], of id: RawID) throws(PersistencyError) -> [ColumnChange] {
        for change in changes {
            guard schema.columns.indices.contains(change.column) else { throw undeclared(id) }
            try check(change.value, at: change.column, of: id)
        }
        return changes
    }

    /// The plan of the list that a change of an owned object is in.
    func child(_ change: ChildChange) throws(PersistencyError) -> SQLTablePlan {
        guard children.indices.contains(change.relationship) else { throw undeclared(change.id) }
        return children[change.relationship]
    }

    func undeclared(_ id: RawID) -> PersistencyError {
        .invalid(InvalidField(entity: schema.name, id: id, field: "?", reason: "has members that are not declared"))
    }

    private func check(_ value: Value, at index: Int, of id: RawID) throws(PersistencyError) {
        if case .real(let real) = value, !real.isFinite { throw invalid(index, "must be a finite number", id) }
        if columnTypes[index].holds(value) { return }
        let column = schema.columns[index]
        if value == .null, column.isNullable { return }
        throw invalid(index, value == .null ? "is missing" : "is not of type \(column.type)", id)
    }

    private func invalid(_ index: Int, _ reason: String, _ id: RawID) -> PersistencyError {
        .invalid(InvalidField(entity: schema.name, id: id, field: schema.columns[index].name, reason: reason))
    }
}
