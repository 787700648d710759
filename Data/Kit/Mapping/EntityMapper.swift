public import LarderDomain

/// Maps one type of entity to its storage objects and back: a namespace of static functions outside the entity.
///
/// ```swift
/// enum TagMapper: EntityMapper {
///     static let mapping = Mapping<Tag>("tag", id: \.id, [.column("name", \.name), .derived("folded_name", \.foldedName)])
///
///     static func entity(from row: inout ObjectReader) throws -> Tag {
///         try Tag(id: row.id(), name: row.next())
///     }
/// }
/// ```
public protocol EntityMapper<Model>: SendableMetatype {
    /// The entity, or the object that an entity owns.
    associatedtype Model: Entity

    /// The schema, each member with the property that it stores; declared as a `static let`.
    static var mapping: Mapping<Model> { get }

    /// Puts an entity together from an object's members, read in the order of their declaration.
    ///
    /// - Throws: `PersistencyError` from the reader, or the `InvalidField` of the entity's initialiser.
    static func entity(from row: inout ObjectReader) throws -> Model

    /// The entity in neutral form, at version 0.
    ///
    /// The default asks the mapping. It is a requirement so that it is compiled for the mapper's own types.
    ///
    /// - Throws: `invalid` naming the field, for a value that no store keeps.
    static func storageObject(from entity: Model) throws(PersistencyError) -> StorageObject

    /// See ``PersistencyManager/create(contentsOf:)``.
    static func create(_ entities: [Model], in store: any Store) async throws(PersistencyError) -> [Stored<Model>]

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

    /// See ``PersistencyManager/update(_:expecting:)``.
    ///
    /// - Parameter creates: Whether an entity that is not stored is created.
    static func save(
        _ entity: Model, expecting version: Int64?, creates: Bool, through manager: StoreManager
    ) async throws(PersistencyError) -> Saved<Model>
}

extension EntityMapper {
    /// The schema.
    public static var schema: EntitySchema { mapping.schema }

    /// The entity in neutral form, as the mapping has it.
    @inlinable
    public static func storageObject(from entity: Model) throws(PersistencyError) -> StorageObject {
        try mapping.storageObject(from: entity)
    }

    /// The entity in a storage object.
    @inlinable
    public static func stored(from object: StorageObject) throws(PersistencyError) -> Stored<Model> {
        try stored(from: Rows(at: object))
    }

    /// The entity in the current row.
    @inlinable
    public static func stored(from rows: borrowing Rows) throws(PersistencyError) -> Stored<Model> {
        Stored(try MappedObject<Self>(rows.reader()).toSafeObject(), version: rows.version)
    }
}

/// Something stored that can become a value of the domain, if it is whole and valid.
public protocol ToSafeObject: ~Copyable {
    /// The value of the domain.
    associatedtype SafeObject

    /// The value of the domain.
    ///
    /// - Throws: `invalid` naming entity, id and column where a value is missing, of another type, or refused by the
    ///   entity itself; never a silent `nil`.
    consuming func toSafeObject() throws(PersistencyError) -> SafeObject
}

/// A row or storage object with the mapper of its entity: the one way from what is stored to an entity.
public struct MappedObject<Mapper: EntityMapper>: ~Copyable, ToSafeObject {
    @usableFromInline var reader: ObjectReader

    /// Pairs an object with its mapper.
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
