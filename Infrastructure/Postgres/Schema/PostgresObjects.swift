#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

struct PostgresObjects: SQLObjects {
    let connection: PostgresConnection
    let plan: SQLPlan

    func insert(_ root: StorageObject) throws(PersistencyError) {
        let table = try plan.table(root.schema.name)
        try write { $0.insert(root, [.integer(root.version)], table) }
    }

    func insertOwned(by objects: [StorageObject]) throws(PersistencyError) {
        guard let first = objects.first else { return }
        let table = try plan.table(first.schema.name)
        try write { for object in objects { $0.insertOwned(by: object, table) } }
    }

    func deleteOwned(by ids: [RawID], of entity: String) throws(PersistencyError) {
        let values = [Value.blob(PostgresArray.bytes(ids))]
        if !ids.isEmpty { try connection.run(plan.table(entity).deleteOwned.map { PostgresStep($0, values) }) }
    }

    func delete(_ ids: [RawID], of entity: String) throws(PersistencyError) {
        if !ids.isEmpty { try connection.run(plan.table(entity).delete.text, [.blob(PostgresArray.bytes(ids))]) }
    }

    func change(_ lists: [(id: RawID, changes: ObjectChanges)], of entity: String) throws(PersistencyError) {
        let table = try plan.table(entity)
        try write { for (id, changes) in lists { $0.change(changes, of: id, table) } }
    }

    private func write(_ fill: (inout PostgresBatches) -> Void) throws(PersistencyError) {
        var batches = PostgresBatches()
        fill(&batches)
        try connection.run(PostgresChangeWriter.ownedSteps(of: batches, plan))
    }
}
#endif
