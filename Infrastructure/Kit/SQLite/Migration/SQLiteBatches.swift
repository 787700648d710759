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
        // A blob (a photo) may have megabytes.
        let size = plan.hasBlobs ? 4 : 256
        let table = SQLText.quoted(plan.table.name)
        let total = Int(try connection.integer("SELECT count(*) FROM \(table)"))
        let id = "t0." + SQLText.quoted("id")
        // An id, a number, and the columns, whatever the table.
        let columns = [id, plan.table.owner == nil ? "version" : "position"] + plan.schema.columns.map(\.name)
        let selection = columns.dropFirst().map { "t0." + SQLText.quoted($0) }.joined(separator: ", ")
        let statement = try connection.statement(
            "SELECT \(id), \(selection) FROM \(table) AS t0 WHERE \(id) > ?1 ORDER BY \(id) LIMIT \(size)")
        var (last, done) = (Value.blob([]), 0)
        while true {
            try statement.bind(last, at: 1)
            let objects = try SQLiteReading(connection: connection).objects(statement, plan)
            for object in objects { try body(object) }
            done += objects.count
            report(MigrationProgress(work: work, done: done, total: total))
            guard let end = objects.last, objects.count == size else { return }
            last = .id(end.id)
        }
    }
}
