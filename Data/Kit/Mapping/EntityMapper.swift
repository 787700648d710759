public import LarderDomain

/// Maps one entity type to storage objects and back: a namespace of static functions outside the entity.
///
/// ```swift
/// enum TagMapper: EntityMapper {
///     static let mapping = Mapping<Tag>("tag", id: \.id, [.column("name", \.name).folded.unique])
///
///     static func entity(from row: inout ObjectReader) throws -> Tag {
///         try Tag(id: row.id(), name: row.next())
///     }
/// }
/// ```
public protocol EntityMapper<Model>: SendableMetatype {
    /// The entity, or an object that an entity owns.
    associatedtype Model: Entity

    /// The schema, with the property that each member stores; declared as a `static let`.
    static var mapping: Mapping<Model> { get }

    /// The mappers of the entity's read models; none by default.
    static var readModels: [any ReadModelMapper.Type] { get }

    /// Creates an entity from an object's members, read in the order of their declaration.
    ///
    /// - Throws: `PersistencyError` from the reader, or `InvalidField` from the entity's initializer.
    static func entity(from row: inout ObjectReader) throws -> Model

    /// The entity as a storage object, at version 0.
    ///
    /// Derived columns, and the words of a search, are computed from the entity as ``entity(from:)`` will read it from
    /// the object, so that a query finds what a read returns, and saving an entity as read writes nothing.
    ///
    /// The default uses the mapping. It is a requirement so that it is specialized for the mapper's types.
    ///
    /// - Throws: `invalid`, with the field, for a value that no store accepts. With a derived column or a search, also
    ///   for an object that the mapper cannot read.
    static func storageObject(from entity: Model) throws(PersistencyError) -> StorageObject

    /// See `PersistencyManager.create(contentsOf:)`.
    static func create(_ entities: [Model], in store: any Store) async throws(PersistencyError) -> [Stored<Model>]

    /// See `PersistencyManager.create(_:)`.
    ///
    /// - Parameters:
    ///   - entity: The new entity.
    ///   - unit: The unit of the transaction.
    ///   - nested: As of ``UnitOfWork/create(_:in:)``.
    static func create(
        _ entity: Model, in unit: UnitOfWork, _ nested: Int?
    ) async throws(PersistencyError) -> Stored<Model>

    /// The entity in the current row, with the row's version.
    ///
    /// The default reads it with ``entity(from:)``. It is a requirement for the same reason, like those below.
    ///
    /// - Throws: As ``ToSafeObject/toSafeObject()``.
    static func stored(from rows: borrowing Rows) throws(PersistencyError) -> Stored<Model>

    /// The entity with an id, or `nil`; see ``Store/withRows(_:of:_:)``.
    static func read(_ id: RawID, from store: any Store) async throws(PersistencyError) -> Stored<Model>?

    /// The entities with these ids, in any order; see ``Store/withRows(_:of:_:)``.
    static func read(_ ids: [RawID], from store: any Store) async throws(PersistencyError) -> [Stored<Model>]

    /// A page of entities; see ``Store/withRows(_:_:)``.
    static func read(
        _ request: ReadRequest, from store: any Store
    ) async throws(PersistencyError) -> ReadResult<Stored<Model>>

    /// See `PersistencyManager.update(_:expecting:)`.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - version: The version that the change is based on; `nil` replaces any version.
    ///   - creates: Whether to create an entity that is not stored.
    ///   - manager: The manager that was called.
    static func save(
        _ entity: Model, expecting version: Int64?, creates: Bool, through manager: StoreManager
    ) async throws(PersistencyError) -> Saved<Model>
}

extension EntityMapper {
    /// The schema.
    public static var schema: EntitySchema { mapping.schema }

    public static var readModels: [any ReadModelMapper.Type] { [] }

    @inlinable
    public static func storageObject(from entity: Model) throws(PersistencyError) -> StorageObject {
        if mapping.isDeriving { return try encoded(entity).object }
        return try mapping.storageObject(from: entity)
    }

    /// The entity in a storage object.
    @inlinable
    public static func stored(from object: StorageObject) throws(PersistencyError) -> Stored<Model> {
        try stored(from: Rows(at: object))
    }

    @inlinable
    public static func stored(from rows: borrowing Rows) throws(PersistencyError) -> Stored<Model> {
        Stored(try MappedObject<Self>(rows.reader()).toSafeObject(), version: rows.version)
    }
}

/// A stored value that can become a domain value, if it is complete and valid.
public protocol ToSafeObject: ~Copyable {
    /// The domain value.
    associatedtype SafeObject

    /// The domain value.
    ///
    /// - Throws: `invalid`, with entity, id and column, for a value that is missing, of another type, or refused by the
    ///   entity itself; never a silent `nil`.
    consuming func toSafeObject() throws(PersistencyError) -> SafeObject
}

/// A row or storage object with its entity's mapper: the only conversion of stored data to an entity.
public struct MappedObject<Mapper: EntityMapper>: ~Copyable, ToSafeObject {
    @usableFromInline var reader: ObjectReader

    /// Combines an object with its mapper.
    @inlinable
    public init(_ object: StorageObject) {
        self.init(ObjectReader(object))
    }

    @inlinable
    init(_ reader: consuming ObjectReader) {
        self.reader = reader
    }

    /// The entity; errors name entity and id.
    @inlinable
    public consuming func toSafeObject() throws(PersistencyError) -> Mapper.Model {
        do {
            return try Mapper.entity(from: &reader)
        } catch {
            throw reader.refusal(error)
        }
    }
}
