/// Maps a value object, a struct without identity, to columns of the entities that have one.
///
/// ```swift
/// enum AddressMapper: ValueMapper {
///     static let mapping = ValueMapping<Address>([.column("street", \.street), .column("city", \.city)])
///
///     static func value(from row: inout ObjectReader) throws -> Address {
///         try Address(street: row.next(), city: row.next())
///     }
/// }
/// ```
///
/// An entity declares it with ``MappedMember/value(_:_:_:)`` and reads it with ``ObjectReader/value(_:)``. It is read back as
/// it was stored [part.1]. A change writes the columns of the parts that differ [part.5]. Predicates reach the parts [part.7],
/// as do sorts and counts [part.8].
public protocol ValueMapper<Model>: SendableMetatype {
    /// The value object.
    associatedtype Model: Sendable

    /// The columns, with the property that each stores; declared as a `static let`.
    static var mapping: ValueMapping<Model> { get }

    /// Creates a value object from its members, read in the order of their declaration.
    ///
    /// - Throws: `PersistencyError` from the reader, or `InvalidField` from the initializer of the value object.
    static func value(from row: inout ObjectReader) throws -> Model
}

/// The columns of a value object, without the prefix that each entity gives them.
public struct ValueMapping<V: Sendable>: Sendable {
    @usableFromInline let columns: [MappedMember<V>]

    /// Declares how a value object is stored.
    ///
    /// - Parameter members: Columns and further value objects, in the order in which ``ObjectReader`` reads them.
    public init(_ members: [MappedMember<V>]) {
        columns = members.flatMap(\.parts)
    }

    /// The number of columns that are read.
    var readCount: Int { columns.count { !$0.isDerived } }

    /// The first column that is null only where the whole value is absent.
    @usableFromInline var requiredColumn: Int? { columns.firstIndex { !$0.isNullable && !$0.isDerived } }
}
