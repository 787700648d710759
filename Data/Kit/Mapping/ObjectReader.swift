public import LarderDomain

/// Reads the members of one row or storage object in the order of their declaration, without derived columns.
///
/// A mapper receives it as `inout` and cannot copy it, so it does not outlive the row.
///
/// The code for each value is inlinable, so that a mapper in another module is specialized for its own types, which is
/// a third of the cost of mapping a row.
@safe public struct ObjectReader: ~Copyable {
    @usableFromInline let schema: EntitySchema
    @usableFromInline let rawID: RawID
    /// `nil` for a storage object.
    @usableFromInline let row: LentRow?
    @usableFromInline let columnCount: Int
    @usableFromInline let object: StorageObject?
    @usableFromInline let hasDerivedColumns: Bool
    @usableFromInline var column = 0
    @usableFromInline var list = 0
    @usableFromInline var link = 0

    @inlinable
    init(_ object: StorageObject) {
        (schema, rawID, columnCount, self.object) = (object.schema, object.id, object.values.count, object)
        row = nil
        hasDerivedColumns = object.schema.hasDerivedColumns
        if hasDerivedColumns { passOverDerived() }
    }

    /// Reads a row that a store lends.
    @inlinable
    init(_ schema: EntitySchema, _ row: LentRow) {
        (self.schema, rawID, self.row, columnCount, object) = (schema, row.id, row, row.columnCount, nil)
        hasDerivedColumns = schema.hasDerivedColumns
        if hasDerivedColumns { passOverDerived() }
    }

    /// The entity's id.
    @inlinable
    public func id<E: Entity>(_ type: E.Type = E.self) -> EntityID<E> { EntityID(rawID) }

    /// The next column's value.
    ///
    /// - Throws: `invalid`, with the column, for a value that is missing or of another type.
    @inlinable
    public mutating func next<V: ColumnValue>(_ type: V.Type = V.self) throws(PersistencyError) -> V {
        guard column < columnCount else { throw refusal(of: V.self) }
        let read =
            if let row { unsafe V(cell: row.cells[column]) } else {
                object.flatMap { V(columnValue: $0.values[column]) }
            }
        guard let value = read else { throw refusal(of: V.self) }
        column += 1
        if hasDerivedColumns { passOverDerived() }
        return value
    }

    /// The next column's decimal, with the column's scale.
    ///
    /// - Throws: `invalid`, with the column, for a value that is missing or of another type.
    public mutating func decimal<V: DecimalValue>(_ type: V.Type = V.self) throws(PersistencyError) -> V {
        guard column < columnCount, let scale = schema.columns[column].scale else { throw refusal(of: V.self) }
        let stored =
            if let row { unsafe row.cells[column].value(of: .integer) } else { object?.values[column] ?? .null }
        guard let value = V(columnValue: stored, scale: scale) else { throw refusal(of: V.self) }
        column += 1
        if hasDerivedColumns { passOverDerived() }
        return value
    }

    @usableFromInline
    mutating func passOverDerived() {
        let columns = schema.columns
        while column < columns.count, columns[column].isDerived { column += 1 }
    }

    @usableFromInline
    func refusal(of type: Any.Type) -> PersistencyError {
        let columns = schema.columns
        guard column < columns.count, column < columnCount else {
            return invalid("column \(column + 1)", "is not declared")
        }
        return invalid(columns[column].name, isNull(column) ? "is missing" : "is not of type \(type)")
    }

    /// Whether a column has no value.
    func isNull(_ column: Int) -> Bool {
        if let row { unsafe row.cells[column].isNull } else { object?.values[column] == .null }
    }

    /// The next list of owned objects.
    @inlinable
    public mutating func children<Mapper: EntityMapper>(
        _ mapper: Mapper.Type
    ) throws(PersistencyError) -> [Mapper.Model] {
        var models: [Mapper.Model] = []
        if let row, list < schema.children.count {
            let (rows, schema) = (row.list(list), schema.children[list].schema)
            list += 1
            models.reserveCapacity(rows.count)
            for number in rows {
                let owned = row.owned(number, columnCount: schema.columnTypes.count)
                models.append(try MappedObject<Mapper>(ObjectReader(schema, owned)).toSafeObject())
            }
            return models
        }
        guard let children = object?.children, list < children.count else {
            throw invalid("list \(list + 1)", "is not declared")
        }
        defer { list += 1 }
        models.reserveCapacity(children[list].count)
        for child in children[list] { models.append(try MappedObject<Mapper>(child).toSafeObject()) }
        return models
    }

    /// The next list of links.
    @inlinable
    public mutating func links<E: Entity>(_ type: E.Type = E.self) throws(PersistencyError) -> [EntityID<E>] {
        if let row, link < schema.links.count {
            defer { link += 1 }
            return row.list(schema.children.count + link).map { EntityID(row.owned($0, columnCount: 0).id) }
        }
        guard let links = object?.links, link < links.count else {
            throw invalid("link \(link + 1)", "is not declared")
        }
        defer { link += 1 }
        return links[link].map(EntityID.init)
    }

    @usableFromInline
    func invalid(_ field: String, _ reason: String) -> PersistencyError { schema.invalid(field, reason, rawID) }

    /// Adds entity and id to a mapper's error.
    @usableFromInline
    func refusal(_ error: any Error) -> PersistencyError {
        switch error {
        case let error as PersistencyError:
            return error
        case var field as InvalidField:
            field.id = rawID
            return .invalid(field)
        default:
            return invalid("?", "\(error)")
        }
    }
}
