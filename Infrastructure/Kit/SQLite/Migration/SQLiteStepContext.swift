internal import LarderData
internal import LarderDomain

/// The database of a step.
struct SQLiteStepContext: MigrationContext {
    private let connection: SQLiteConnection
    private let plan: SQLPlan
    private let reshaping: ObjectReshaping
    private let ids: any IDGenerator

    /// - Parameter plan: The tables after the step.
    init(_ connection: SQLiteConnection, _ plan: SQLPlan, _ reshaping: ObjectReshaping, _ ids: any IDGenerator) {
        (self.connection, self.plan, self.reshaping, self.ids) = (connection, plan, reshaping, ids)
    }

    func reshaped(_ old: StorageObject) -> StorageObject { reshaping.reshaped(old) }

    func newObject(of entity: String, _ values: [String: Value]) throws(PersistencyError) -> StorageObject {
        try StorageObject(table(entity).schema, id: ids.next(), values)
    }

    func insert(_ object: StorageObject) throws(PersistencyError) {
        let table = try table(object.schema.name)
        guard object.schema === table.schema else { throw .unknownEntity(object.schema.name) }
        if let problem = object.problem { throw .incompatible(problem) }
        let statement = try connection.statement(table.insert)
        try statement.bind([.id(object.id), .integer(object.version)] + object.values, from: 1)
        let applier = SQLiteChangeApplier(connection: connection, plan: plan)
        guard try statement.insert() else { throw applier.duplicateID(object) }
        try applier.insertOwned(by: object, table)
    }

    func id(of entity: String, where values: [String: Value]) throws(PersistencyError) -> RawID? {
        let table = try table(entity)
        let columns = table.schema.uniques[try table.schema.uniqueGroup(values.keys)].map {
            table.schema.columns[$0].name
        }
        let terms = columns.enumerated().map { SQLText.quoted($1) + " = ?\($0 + 1)" }.joined(separator: " AND ")
        let statement = try connection.statement(
            "SELECT \(SQLText.quoted("id")) FROM \(SQLText.quoted(entity)) WHERE \(terms) LIMIT 1")
        defer { statement.finish() }
        try statement.bind(columns.map { values[$0] ?? .null }, from: 1)
        return try statement.step() ? statement.id(0) : nil
    }

    func contains(_ id: RawID, of entity: String) throws(PersistencyError) -> Bool {
        let statement = try connection.statement(table(entity).version)
        defer { statement.finish() }
        try statement.bind(id, at: 1)
        return try statement.step()
    }

    /// The table of another root than the step's, whose own objects are being changed.
    private func table(_ entity: String) throws(PersistencyError) -> SQLTablePlan {
        guard entity != reshaping.schema.name, let table = plan.roots.first(where: { $0.schema.name == entity }) else {
            throw .unknownEntity(entity)
        }
        return table
    }
}
