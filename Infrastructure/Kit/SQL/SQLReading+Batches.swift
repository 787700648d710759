package import LarderData
package import LarderDomain

extension SQLTablePlan {
    /// The number of objects that are read at once. A blob (a photo) may have megabytes.
    package var batchSize: Int { mayBeLarge ? 4 : 256 }
}

extension SQLReading {
    /// Passes all objects of a schema to a body, in batches, in ascending order of ids.
    package func forEachBatch(
        of plan: SQLTablePlan, _ body: ([StorageObject]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        var last: RawID?
        while true {
            let objects = try batch(after: last, of: plan)
            if !objects.isEmpty { try body(objects) }
            guard let end = objects.last, objects.count == plan.batchSize else { return }
            last = end.id
        }
    }

    /// The objects of any schema after an id, with everything that they own; fewer than the batch size, if they are the last
    /// ones. An owned object has its position as version.
    package func batch(after last: RawID?, of plan: SQLTablePlan) throws(PersistencyError) -> [StorageObject] {
        defer { connection.rowBuffer.removeAll() }
        let id = "t0." + SQLText.quoted("id")
        // An id, a number, and the columns, whatever the table.
        let columns = ["id", plan.table.owner == nil ? "version" : "position"] + plan.schema.columns.map(\.name)
        let start = last == nil ? "" : "WHERE \(id) > \(connection.dialect.placeholder(1, .id)) "
        let text =
            "SELECT \(columns.map { "t0." + SQLText.quoted($0) }.joined(separator: ", ")) FROM "
            + "\(SQLText.quoted(plan.table.name)) AS t0 \(start)ORDER BY \(id) LIMIT \(plan.batchSize)"
        var roots = 0..<0
        let step = Step(text, last.map { [.id($0)] } ?? []) { rows throws(PersistencyError) in
            roots = try copyRoots(rows, plan, to: &connection.rowBuffer)
        }
        try connection.run([step])
        try connection.copyLists(of: roots, plan, .complete, end: [])
        return try connection.rowBuffer.storageObjects(roots, of: plan.schema)
    }
}
