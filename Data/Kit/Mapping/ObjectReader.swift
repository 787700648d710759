public import LarderDomain

/// Reads a storage object's members in the order of their declaration; derived columns are passed over.
///
/// What runs for each value is inlinable: a mapper in another module is then compiled for its own types, which is a
/// third of what mapping a row costs.
public struct ObjectReader {
    @usableFromInline let object: StorageObject
    @usableFromInline let hasDerivedColumns: Bool
    @usableFromInline var column = 0
    @usableFromInline var list = 0
    @usableFromInline var link = 0

    @inlinable
    init(_ object: StorageObject) {
        self.object = object
        hasDerivedColumns = object.schema.hasDerivedColumns
        if hasDerivedColumns { passOverDerived() }
    }

    /// The entity's id.
    @inlinable
    public func id<E: Entity>(_ type: E.Type = E.self) -> EntityID<E> { EntityID(object.id) }

    /// The next column's value.
    ///
    /// - Throws: `invalid` naming the column where the value is missing or not of the type asked for.
    @inlinable
    public mutating func next<V: ColumnValue>(_ type: V.Type = V.self) throws(PersistencyError) -> V {
        guard column < object.values.count, let value = V(columnValue: object.values[column]) else {
            throw refusal(of: V.self)
        }
        advance()
        return value
    }

    @inlinable
    mutating func advance() {
        column += 1
        if hasDerivedColumns { passOverDerived() }
    }

    @usableFromInline
    mutating func passOverDerived() {
        let columns = object.schema.columns
        while column < columns.count, columns[column].isDerived { column += 1 }
    }

    @usableFromInline
    func refusal(of type: Any.Type) -> PersistencyError {
        let columns = object.schema.columns
        guard column < columns.count, column < object.values.count else {
            return invalid("column \(column + 1)", "is not declared")
        }
        return invalid(columns[column].name, object.values[column] == .null ? "is missing" : "is no \(type)")
    }

    /// The next list of owned objects.
    @inlinable
    public mutating func children<Mapper: EntityMapper>(
        _ mapper: Mapper.Type
    ) throws(PersistencyError) -> [Mapper.Model] {
        guard list < object.children.count else { throw invalid("list \(list + 1)", "is not declared") }
        defer { list += 1 }
        var models: [Mapper.Model] = []
        models.reserveCapacity(object.children[list].count)
        for child in object.children[list] { models.append(try MappedObject<Mapper>(child).toSafeObject()) }
        return models
    }

    /// The next list of links.
    @inlinable
    public mutating func links<E: Entity>(_ type: E.Type = E.self) throws(PersistencyError) -> [EntityID<E>] {
        guard link < object.links.count else { throw invalid("link \(link + 1)", "is not declared") }
        defer { link += 1 }
        return object.links[link].map(EntityID.init)
    }

    @usableFromInline
    func invalid(_ field: String, _ reason: String) -> PersistencyError {
        .invalid(InvalidField(entity: object.schema.name, id: object.id, field: field, reason: reason))
    }
}
