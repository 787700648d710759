public import LarderDomain

/// The mappers of a manager, by entity type.
public struct MapperSet: Sendable {
    /// The entity types, and their mappers in the same order: for usual numbers, this costs less than hashing.
    private let types: [ObjectIdentifier]
    private let boxes: [any ErasedMapper]
    private let bySchema: [String: any ErasedMapper]
    /// The read models, by their types.
    private let readModels: [ObjectIdentifier: any Sendable]

    /// The schemas of the mappers, checked against each other.
    public let schemas: SchemaSet

    /// Combines the mappers of roots, which include those of owned objects and of read models.
    ///
    /// - Throws: `incompatible` if the schemas are inconsistent; see ``SchemaSet/init(_:derivations:evolution:)``. Also for
    ///   a read model of a property that is not stored. `unknownEntity` for a read model of an entity without a mapper.
    public init(
        _ mappers: [any EntityMapper.Type], evolution: SchemaEvolution = .initial
    ) throws(PersistencyError) {
        func erased<Mapper: EntityMapper>(_ mapper: Mapper.Type) -> any ErasedMapper { MapperBox(mapper) }
        boxes = mappers.map { erased($0) }
        types = boxes.map(\.type)
        bySchema = Dictionary(boxes.map { ($0.schema.name, $0) }) { $1 }
        schemas = try SchemaSet(
            boxes.map(\.schema), derivations: bySchema.mapValues { box in box.derived }, evolution: evolution)
        var found: [ObjectIdentifier: any Sendable] = [:]
        for readModel in mappers.flatMap({ $0.readModels }) { try found.add(readModel, boxes) }
        readModels = found
    }

    func readModel<Model: ReadModel>(_ type: Model.Type) throws(PersistencyError) -> ReadModelBox<Model> {
        guard let box = readModels[ObjectIdentifier(type)] as? ReadModelBox<Model> else {
            throw .unsupportedQuery("\(Model.self), which is not among the read models of the mappers")
        }
        return box
    }

    func mapper<E: Entity>(for type: E.Type) throws(PersistencyError) -> MapperBox<E> {
        guard let index = types.firstIndex(of: ObjectIdentifier(type)) else { throw .unknownEntity(E.entityName) }
        // The key is the type of the box's entity; a checked cast would cost a tenth of a point read.
        return unsafe unsafeDowncast(boxes[index], to: MapperBox<E>.self)
    }

    /// An object with the words of its search, which may have been left out.
    func complete(_ object: StorageObject) throws(PersistencyError) -> StorageObject {
        guard object.schema.searchList != nil, let box = bySchema[object.schema.name] else { return object }
        return try box.derived(object)
    }

    /// The entity of an object of any known schema.
    func entity(from object: StorageObject) throws(PersistencyError) -> any Entity {
        guard let box = bySchema[object.schema.name] else { throw .unknownEntity(object.schema.name) }
        return try box.anyEntity(from: object)
    }
}

extension [ObjectIdentifier: any Sendable] {
    fileprivate mutating func add<Mapper: ReadModelMapper>(
        _ mapper: Mapper.Type, _ boxes: [any ErasedMapper]
    ) throws(PersistencyError) {
        guard let box = boxes.lazy.compactMap({ $0 as? MapperBox<Mapper.Model.Source> }).first else {
            throw .unknownEntity(Mapper.Model.Source.entityName)
        }
        self[ObjectIdentifier(Mapper.Model.self)] = try ReadModelBox(mapper, box)
    }
}

/// A read model's mapper as an instance.
struct ReadModelBox<Model: ReadModel>: Sendable {
    let source: MapperBox<Model.Source>
    let projection: Projection
    let mapper: any ReadModelMapper<Model>.Type

    init(_ mapper: any ReadModelMapper<Model>.Type, _ source: MapperBox<Model.Source>) throws(PersistencyError) {
        var (columns, operands) = ([Column](), [Operand]())
        for part in mapper.mapping.parts { try part.add(source.mapping, &columns, &operands) }
        projection = Projection(of: source.schema, columns, operands)
        (self.mapper, self.source) = (mapper, source)
    }

    func model(of root: StorageObject) throws(PersistencyError) -> Model {
        try mapper.model(ObjectReader(projection.row(of: root)))
    }
}

/// A type-erased mapper.
protocol ErasedMapper: AnyObject, Sendable {
    var type: ObjectIdentifier { get }
    var schema: EntitySchema { get }
    func anyEntity(from object: StorageObject) throws(PersistencyError) -> any Entity
    /// The object with recomputed derived columns.
    @Sendable func derived(_ object: StorageObject) throws(PersistencyError) -> StorageObject
}

/// A mapper as an instance.
final class MapperBox<E: Entity>: ErasedMapper {
    let mapping: Mapping<E>
    let mapper: any EntityMapper<E>.Type

    init(_ mapper: any EntityMapper<E>.Type) {
        self.mapper = mapper
        mapping = mapper.mapping
    }

    var type: ObjectIdentifier { ObjectIdentifier(E.self) }
    var schema: EntitySchema { mapping.schema }

    func anyEntity(from object: StorageObject) throws(PersistencyError) -> any Entity {
        try mapper.stored(from: object).entity
    }

    /// Maps in slices, so that a large result does not block the cooperative pool.
    func stored(from objects: [StorageObject]) async throws(PersistencyError) -> [Stored<E>] {
        var stored: [Stored<E>] = []
        stored.reserveCapacity(objects.count)
        for (index, object) in objects.enumerated() {
            if index % 256 == 255 { await Task.yield() }
            stored.append(try mapper.stored(from: object))
        }
        return stored
    }

    func derived(_ object: StorageObject) throws(PersistencyError) -> StorageObject {
        try mapping.storageObject(ofRead: mapper.stored(from: object).entity)
    }
}
