#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The database of a step.
struct PostgresStepContext: MigrationContext {
    let connection: PostgresConnection
    /// The tables after the step.
    let plan: PostgresPlan
    let reshaping: ObjectReshaping
    var ids: any IDGenerator = UUIDv7Generator()

    func reshaped(_ old: StorageObject) -> StorageObject { reshaping.reshaped(old) }

    func newObject(of entity: String, _ values: [String: Value]) throws(PersistencyError) -> StorageObject {
        try StorageObject(table(entity).schema, id: ids.next(), values)
    }

    func insert(_ object: StorageObject) throws(PersistencyError) {
        let table = try table(object.schema.name)
        guard object.schema === table.schema else { throw .unknownEntity(object.schema.name) }
        if let problem = object.problem { throw .incompatible(problem) }
        var batches = PostgresBatches()
        batches.insert(object, [.integer(object.version)], table)
        try connection.run(PostgresChangeWriter.ownedSteps(of: batches, plan))
    }

    func id(of entity: String, where values: [String: Value]) throws(PersistencyError) -> RawID? {
        let table = try table(entity)
        let group = table.schema.uniques[try table.schema.uniqueGroup(values.keys)]
        let isEqual = Condition.and(
            group.map { index in
                .compare(.column(index), .equal, .literal(values[table.schema.columns[index].name] ?? .null))
            })
        let request = ReadRequest(table.schema, where: isEqual, limit: 1, content: .versions)
        let rows = try connection.run(SQLReads.page(request, table.table, .postgres))
        return rows.advance() ? try rows.id(0) : nil
    }

    func contains(_ id: RawID, of entity: String) throws(PersistencyError) -> Bool {
        try connection.run(table(entity).readOne, [.id(id)]).advance()
    }

    /// The table of another root than the step's, whose own objects are being changed.
    private func table(_ entity: String) throws(PersistencyError) -> PostgresTable {
        guard entity != reshaping.schema.name, let table = plan.roots.first(where: { $0.schema.name == entity }) else {
            throw .unknownEntity(entity)
        }
        return table
    }
}
#endif
