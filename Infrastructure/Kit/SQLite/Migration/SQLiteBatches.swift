internal import LarderData
internal import LarderDomain

/// Reads all objects of a schema, root or owned, with everything that they own, in ascending order of ids.
///
/// It reads them in batches, so memory use does not depend on the size of the database.
struct SQLiteBatches {
    let connection: SQLiteConnection
    let plan: SQLTablePlan
    /// The work that progress names.
    let work: String
    let report: (MigrationProgress) -> Void

    /// - Parameter body: May write, also to the objects that it receives.
    func forEach(
        _ body: (StorageObject) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let total = Int(try connection.integer("SELECT count(*) FROM \(SQLText.quoted(plan.table.name))"))
        var (last, done) = (RawID?.none, 0)
        repeat {
            let objects = try next(after: last)
            for object in objects { try body(object) }
            done += objects.count
            report(MigrationProgress(work: work, done: done, total: total))
            last = objects.count == plan.batchSize ? objects.last?.id : nil
        } while last != nil
    }

    /// The objects of the batch after an id; fewer than the batch size, if they are the last ones.
    func next(after last: RawID?) throws(PersistencyError) -> [StorageObject] {
        let table = SQLText.quoted(plan.table.name)
        let id = "t0." + SQLText.quoted("id")
        // An id, a number, and the columns, whatever the table.
        let columns = [id, plan.table.owner == nil ? "version" : "position"] + plan.schema.columns.map(\.name)
        let selection = columns.dropFirst().map { "t0." + SQLText.quoted($0) }.joined(separator: ", ")
        let statement = try connection.statement(
            "SELECT \(id), \(selection) FROM \(table) AS t0 WHERE \(id) > ?1 ORDER BY \(id) LIMIT \(plan.batchSize)")
        try statement.bind(last.map(Value.id) ?? .blob([]), at: 1)
        return try SQLiteReading(connection: connection).objects(statement, plan)
    }
}

extension SQLTablePlan {
    /// The number of objects that are read at once. A blob (a photo) may have megabytes.
    var batchSize: Int { mayBeLarge ? 4 : 256 }
}
