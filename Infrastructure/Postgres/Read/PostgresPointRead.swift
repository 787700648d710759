#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The read of one root with its lists in one round trip. Its statements have no `BEGIN`: those of a pipeline are one
/// transaction, and so one snapshot. Owned objects have no lists.
struct PostgresPointRead {
    let steps: [PostgresStep]
    private let reading: PostgresReading
    private let plan: PostgresTable
    private let row = Box<PostgresResult?>(nil)
    private let roots = Box(0..<0)

    init(_ id: RawID, of plan: PostgresTable, _ reading: PostgresReading) {
        (self.reading, self.plan) = (reading, plan)
        let (row, roots) = (row, roots)
        if plan.schema.isFlat {
            steps = [PostgresStep(plan.readOne, [.id(id)]) { row.value = $0 }]
        } else {
            let root = PostgresStep(plan.readOne, [.id(id)]) { (result) throws(PersistencyError) in
                roots.value = try reading.append(result, plan)
            }
            steps = [root] + reading.lists(of: 0..<1, [id], plan, .rows, Box([]))
        }
    }

    /// Lends the root, after the results of the statements were evaluated.
    func lend(to body: RowVisitor) throws(PersistencyError) {
        if let row = row.value {
            var rows = Rows(row, of: plan.schema, limit: nil)
            try body(&rows)
        } else if !roots.value.isEmpty {
            try reading.connection.rowBuffer.lend(roots.value, of: plan.schema, to: body)
        }
    }
}
#endif
