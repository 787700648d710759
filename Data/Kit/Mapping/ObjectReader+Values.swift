internal import LarderDomain

extension ObjectReader {
    /// The next columns' value object.
    ///
    /// - Throws: As the mapper. A member that the initializer of the value object refuses has the name of its column
    ///   [part.4].
    @inlinable
    public mutating func value<Mapper: ValueMapper>(_ mapper: Mapper.Type) throws -> Mapper.Model {
        let first = column
        do {
            return try Mapper.value(from: &self)
        } catch {
            throw refusal(error, of: Mapper.mapping, from: first)
        }
    }

    /// The next columns' value object, or `nil` if all columns are null.
    ///
    /// - Throws: As ``value(_:)``. Also for a null in the column of a required member, next to other values [part.3].
    @inlinable
    public mutating func valueIfPresent<Mapper: ValueMapper>(_ mapper: Mapper.Type) throws -> Mapper.Model? {
        try isPresent(Mapper.mapping) ? value(Mapper.self) : nil
    }

    /// Whether a column of the next value object has a value. Passes over an absent one, and over the column for the
    /// presence.
    @usableFromInline
    mutating func isPresent<V>(_ mapping: ValueMapping<V>) throws(PersistencyError) -> Bool {
        let first = column
        let isCounted = mapping.requiredColumn == nil
        if isCounted, try next(Bool?.self) == true { return true }
        for _ in 0..<mapping.readCount {
            if try !nextIsNull() {
                column = first
                guard isCounted else { return true }
                throw refusal(of: Bool.self)
            }
        }
        return false
    }

    /// Whether the next column has no value, which it passes over.
    private mutating func nextIsNull() throws(PersistencyError) -> Bool {
        guard column < columnCount else { throw refusal(of: Any.self) }
        let isNull = isNull(column)
        column += 1
        if hasDerivedColumns { passOverDerived() }
        return isNull
    }

    /// The error of a mapper, in which a member that the value object refused has the name of its column.
    @usableFromInline
    func refusal<V>(_ error: any Error, of mapping: ValueMapping<V>, from first: Int) -> any Error {
        guard let field = error as? InvalidField, schema.columns.indices.contains(first),
            let column = mapping.columns.first, schema.columns[first].name.hasSuffix(column.name)
        else { return error }
        let prefix = schema.columns[first].name.dropLast(column.name.count)
        return invalid(prefix + field.field, field.reason)
    }
}
