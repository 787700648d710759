/// Reads a value object of an entity, which may be optional.
@usableFromInline enum ValueProperty<E, V>: Sendable {
    case required(PropertyReader<E, V>)
    case optional(PropertyReader<E, V?>)

    @inlinable var keyPath: any PartialKeyPath<E> & Sendable {
        switch self {
        case .required(let reader): reader.keyPath
        case .optional(let reader): reader.keyPath
        }
    }

    @inlinable var isOptional: Bool { if case .optional = self { true } else { false } }

    /// Lends the address of the value object, or `nil`; valid until the body returns.
    @inlinable func lend<Result, Failure>(
        _ entity: EntityAddress<E>, _ body: (EntityAddress<V>?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .required(let reader): return try reader.lend(entity, body)
        case .optional(let reader):
            guard let value = reader(entity) else { return try body(nil) }
            return try EntityAddress.with(value) { (value) throws(Failure) in try body(value) }
        }
    }
}
