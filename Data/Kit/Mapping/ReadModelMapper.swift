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
/// The mapper of the entity lists it in ``EntityMapper/readModels``.
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
            // A store may lend whole roots instead.
            let isProjected = rows.schema === request.projection?.schema
            try found.add { (items) throws(PersistencyError) in
                while try rows.next() {
                    items.append(try model(isProjected ? rows.reader() : request.projected(rows)))
                }
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
