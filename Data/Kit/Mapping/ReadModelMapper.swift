public import LarderDomain

/// Maps rows of an entity to a read model, which has some of its columns.
///
/// ```swift
/// enum BookLineMapper: ReadModelMapper {
///     static let mapping = ReadModelMapping<Book>([.column(\.title), .count(\.chapters), .sum(\.chapters, \.pages)])
///
///     static func model(from row: inout ObjectReader) throws -> BookLine {
///         try BookLine(id: row.id(), title: row.next(), chapters: row.next(), pages: row.next())
///     }
/// }
/// ```
///
/// A ``MapperSet`` has the mappers of read models next to that of their entity.
public protocol ReadModelMapper<Model>: SendableMetatype {
    /// The read model.
    associatedtype Model: ReadModel

    /// The parts of the entity that are read; declared as a `static let`.
    static var mapping: ReadModelMapping<Model.Source> { get }

    /// Creates a read model from its parts, read in the order of their declaration.
    static func model(from row: inout ObjectReader) throws -> Model

    /// A page of read models; the request has their projection.
    ///
    /// The default reads each with ``model(from:)``. It is a requirement so that it is specialized for the mapper's types.
    static func read(
        _ request: ReadRequest, from store: any Store
    ) async throws(PersistencyError) -> ReadResult<Model>
}

extension ReadModelMapper {
    @inlinable
    public static func read(
        _ request: ReadRequest, from store: any Store
    ) async throws(PersistencyError) -> ReadResult<Model> {
        let found = Found<[Model]>([])
        let end = try await store.withRows(request) { (rows) throws(PersistencyError) in
            while try rows.next() {
                // A store may lend whole roots instead.
                let reader = try rows.schema === request.projection?.schema ? rows.reader() : request.projected(rows)
                found.value.append(try model(reader))
            }
        }
        return ReadResult(items: found.value, next: end.next, total: end.total)
    }

    @inlinable
    static func model(_ reader: consuming ObjectReader) throws(PersistencyError) -> Model {
        do {
            return try model(from: &reader)
        } catch {
            throw reader.refusal(error)
        }
    }
}

/// The parts of an entity that a read model has.
public struct ReadModelMapping<E: Entity>: Sendable {
    let parts: [ReadModelPart<E>]

    /// Declares the parts, in the order in which ``ObjectReader`` reads them. The id needs no declaration.
    public init(_ parts: [ReadModelPart<E>]) {
        self.parts = parts
    }
}

/// A part of an entity in a read model.
public struct ReadModelPart<E: Entity>: Sendable {
    /// Adds the columns, and the operands with their values.
    let add: @Sendable (Mapping<E>, inout [Column], inout [Operand]) throws(PersistencyError) -> Void

    /// A stored property, also a derived one or a part of a value object; read with `next()` or `decimal()`.
    public static func column<V>(_ keyPath: any KeyPath<E, V> & Sendable) -> ReadModelPart {
        ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            try mapping.add(keyPath, &columns, &operands)
        }
    }

    /// A value object; read with `value(_:)`.
    public static func value<Mapper: ValueMapper>(
        _ keyPath: any KeyPath<E, Mapper.Model> & Sendable, _ mapper: Mapper.Type
    ) -> ReadModelPart {
        parts(of: keyPath, Mapper.mapping)
    }

    /// An optional value object; read with `valueIfPresent(_:)`.
    public static func value<Mapper: ValueMapper>(
        _ keyPath: any KeyPath<E, Mapper.Model?> & Sendable, _ mapper: Mapper.Type
    ) -> ReadModelPart {
        parts(of: keyPath, Mapper.mapping, hasPresence: Mapper.mapping.requiredColumn == nil)
    }

    /// The number of objects in a list of owned objects, or of ids in a list of links.
    public static func count<Member>(_ keyPath: any KeyPath<E, [Member]> & Sendable) -> ReadModelPart {
        ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            switch mapping.keyPaths[keyPath] {
            case .children(let list, _): operands.append(.childCount(list))
            case .links(let list): operands.append(.linkCount(list))
            default: throw mapping.lacks(keyPath)
            }
            columns.append(Column(name: "column \(columns.count)", type: .integer))
        }
    }

    /// The sum of an integer property, which is not optional, of the objects in a list; it must not overflow.
    public static func sum<Member: Entity>(
        _ list: any KeyPath<E, [Member]> & Sendable, _ keyPath: any KeyPath<Member, Int> & Sendable
    ) -> ReadModelPart {
        ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            guard case .children(let list, let members) = mapping.keyPaths[list],
                case .column(let column, nil) = members[keyPath]
            else { throw mapping.lacks(keyPath) }
            operands.append(.childSum(relationship: list, column: column, where: .always(true)))
            columns.append(Column(name: "column \(columns.count)", type: .integer))
        }
    }

    private static func parts<V>(
        of value: any AnyKeyPath & Sendable, _ valueMapping: ValueMapping<V>, hasPresence: Bool = false
    ) -> ReadModelPart {
        let paths = valueMapping.columns.filter { !$0.isDerived }.compactMap { value.joined($0.keyPath) }
        return ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            for path in (hasPresence ? [value] : []) + paths { try mapping.add(path, &columns, &operands) }
        }
    }
}

extension Mapping {
    fileprivate func add(
        _ keyPath: AnyKeyPath, _ columns: inout [Column], _ operands: inout [Operand]
    ) throws(PersistencyError) {
        switch keyPaths[keyPath] {
        case .column(let index, _), .value(let index):
            columns.append(schema.columns[index].selected)
            operands.append(.column(index))
        default: throw lacks(keyPath)
        }
    }

    fileprivate func lacks(_ keyPath: AnyKeyPath) -> PersistencyError {
        .incompatible("a read model of \(schema.name) has \(keyPath.displayName), which is not stored so")
    }
}
