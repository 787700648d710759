internal import LarderData
internal import LarderDomain

struct SQLiteObjects: SQLObjects {
    let connection: SQLiteConnection
    let plan: SQLPlan

    var schemas: SchemaSet { plan.schemas }
    private var applier: SQLiteChangeApplier { SQLiteChangeApplier(connection: connection, plan: plan) }

    func forEachBatch(
        of entity: String, _ body: ([StorageObject]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let table = try table(entity)
        var last: RawID?
        while true {
            let objects = try SQLiteReading(connection: connection).batch(after: last, of: table)
            if !objects.isEmpty { try body(objects) }
            guard let end = objects.last, objects.count == table.batchSize else { return }
            last = end.id
        }
    }

    func insert(_ root: StorageObject) throws(PersistencyError) {
        let table = try table(root.schema.name)
        let statement = try connection.statement(table.insert)
        try statement.bind([.id(root.id), .integer(root.version)] + root.values, from: 1)
        guard try statement.insert() else { throw .duplicateID(root.id, root.schema) }
        try applier.insertOwned(by: root, table)
    }

    func insertOwned(by objects: [StorageObject]) throws(PersistencyError) {
        for object in objects { try applier.insertOwned(by: object, table(object.schema.name)) }
    }

    func deleteOwned(by ids: [RawID], of entity: String) throws(PersistencyError) {
        for id in ids { try applier.deleteOwned(by: id, table(entity)) }
    }

    func delete(_ ids: [RawID], of entity: String) throws(PersistencyError) {
        for id in ids { try connection.statement(table(entity).delete).run([.id(id)]) }
    }

    func change(_ lists: [(id: RawID, changes: ObjectChanges)], of entity: String) throws(PersistencyError) {
        let table = try table(entity)
        for (id, changes) in lists { try applier.deleteOwned(changes, id, table) }
        for (id, changes) in lists { try applier.changeOwned(changes, id, table) }
    }

    private func table(_ entity: String) throws(PersistencyError) -> SQLTablePlan {
        guard let table = plan[entity] else { throw .unknownEntity(entity) }
        return table
    }
}

extension SQLTablePlan {
    /// The number of objects that are read at once. A blob (a photo) may have megabytes.
    var batchSize: Int { mayBeLarge ? 4 : 256 }
}

extension SQLiteReading {
    /// The objects of any schema after an id, with everything that they own; fewer than the batch size, if they are the last
    /// ones. An owned object has its position as version.
    func batch(after last: RawID?, of plan: SQLTablePlan) throws(PersistencyError) -> [StorageObject] {
        let id = SQLText.quoted("id")
        // An id, a number, and the columns, whatever the table.
        let columns = ["id", plan.table.owner == nil ? "version" : "position"] + plan.schema.columns.map(\.name)
        let statement = try connection.statement(
            "SELECT \(columns.map { "t0." + SQLText.quoted($0) }.joined(separator: ", ")) FROM "
                + "\(SQLText.quoted(plan.table.name)) AS t0 WHERE t0.\(id) > ?1 ORDER BY t0.\(id) LIMIT \(plan.batchSize)"
        )
        try statement.bind(last.map(Value.id) ?? .blob([]), at: 1)
        return try objects(statement, plan)
    }
}
