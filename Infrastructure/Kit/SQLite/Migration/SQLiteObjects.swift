internal import LarderData
internal import LarderDomain

struct SQLiteObjects: SQLObjects {
    let connection: SQLiteConnection
    let plan: SQLPlan

    private var applier: SQLiteChangeApplier {
        SQLiteChangeApplier(connection: connection, plan: plan, keepsWordIndexes: false)
    }

    func insert(_ root: StorageObject) throws(PersistencyError) {
        let table = try plan.table(root.schema.name)
        let statement = try connection.statement(table.insert)
        try statement.bind([.id(root.id), .integer(root.version)] + root.values, from: 1)
        guard try statement.insert() else { throw .duplicateID(root.id, root.schema) }
        try applier.insertOwned(by: root, table)
    }

    func insertOwned(by objects: [StorageObject]) throws(PersistencyError) {
        for object in objects { try applier.insertOwned(by: object, plan.table(object.schema.name)) }
    }

    func deleteOwned(by ids: [RawID], of entity: String) throws(PersistencyError) {
        for id in ids { try applier.deleteOwned(by: id, plan.table(entity)) }
    }

    func delete(_ ids: [RawID], of entity: String) throws(PersistencyError) {
        for id in ids { try connection.statement(plan.table(entity).delete).run([.id(id)]) }
    }

    func change(_ lists: [(id: RawID, changes: ObjectChanges)], of entity: String) throws(PersistencyError) {
        let table = try plan.table(entity)
        for (id, changes) in lists { try applier.deleteOwned(changes, id, table) }
        for (id, changes) in lists { try applier.changeOwned(changes, id, table) }
    }
}
