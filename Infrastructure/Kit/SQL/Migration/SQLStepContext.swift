internal import LarderData
internal import LarderDomain

/// The database of a step.
struct SQLStepContext<Session: SQLMigrationSession, Objects: SQLObjects>: MigrationContext {
    let session: Session
    /// The objects after the step, and their tables.
    let objects: Objects
    let tables: SQLLayout
    let reshaping: ObjectReshaping
    let ids: any IDGenerator

    func reshaped(_ old: StorageObject) -> StorageObject { reshaping.reshaped(old) }

    func newObject(of entity: String, _ values: [String: Value]) throws(PersistencyError) -> StorageObject {
        try StorageObject(schema(entity), id: ids.next(), values)
    }

    func insert(_ object: StorageObject) throws(PersistencyError) {
        guard object.schema === (try schema(object.schema.name)) else { throw .unknownEntity(object.schema.name) }
        if let problem = object.problem { throw .incompatible(problem) }
        try objects.insert(object)
    }

    func id(of entity: String, where values: [String: Value]) throws(PersistencyError) -> RawID? {
        let schema = try schema(entity)
        let group = schema.uniques[try schema.uniqueGroup(values.keys)]
        // `null` is equal to no other value in a unique group.
        if values.values.contains(.null) { return nil }
        let isEqual = group.map { index in
            Condition.compare(.column(index), .equal, .literal(values[schema.columns[index].name] ?? .null))
        }
        return try first(ReadRequest(schema, where: .and(isEqual), limit: 1, content: .versions))
    }

    func contains(_ id: RawID, of entity: String) throws(PersistencyError) -> Bool {
        let isEqual = Condition.compare(.id, .equal, .literal(.id(id)))
        return try first(ReadRequest(schema(entity), where: isEqual, limit: 1, content: .versions)) != nil
    }

    private func first(_ request: ReadRequest) throws(PersistencyError) -> RawID? {
        guard let table = tables[request.schema.name] else { throw .unknownEntity(request.schema.name) }
        let query = try SQLReads.page(request, table, session.dialect)
        guard case .id(let id) = try session.rows(query.text, query.values, [.id]).first?[0] else { return nil }
        return id
    }

    /// The schema of another root than the step's, whose own objects are being changed.
    private func schema(_ entity: String) throws(PersistencyError) -> EntitySchema {
        guard entity != reshaping.schema.name, let schema = objects.schemas.roots.first(where: { $0.name == entity })
        else { throw .unknownEntity(entity) }
        return schema
    }
}
