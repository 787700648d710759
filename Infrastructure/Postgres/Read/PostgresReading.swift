#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

typealias PostgresReading = SQLReading<PostgresConnection>

/// Reads that block the thread of a connection: all but those of single roots, which need no such thread.
extension PostgresReading {
    /// Lends the roots with these ids, each once.
    func lend(_ ids: [RawID], _ plan: SQLTablePlan, to body: RowVisitor) throws(PersistencyError) {
        if ids.isEmpty { return }
        defer { connection.rowBuffer.removeAll() }
        if ids.count == 1, plan.isShallow {
            let read = PostgresPointReads(ids, of: plan, on: connection)
            try connection.run(read.steps)
            _ = try read.lend(ids[0], to: body)
            return
        }
        let ids = [Value.blob(PostgresArray.bytes(Set(ids)))]
        if plan.schema.isFlat {
            var rows = Rows(try connection.run(plan.readMany.text, ids), of: plan.schema, limit: nil)
            return try body(&rows)
        }
        var roots = 0..<0
        let step = PostgresStep(plan.readMany, ids) { (rows) throws(PersistencyError) in
            roots = try copyRoots(rows, plan, to: &connection.rowBuffer)
        }
        try connection.inSnapshot { begin, commit throws(PersistencyError) in
            try connection.run(begin + [step])
            try connection.copyLists(of: roots, plan, .rows, end: commit)
        }
        if !roots.isEmpty { try connection.rowBuffer.lend(roots, of: plan.schema, to: body) }
    }
}

extension PostgresConnection: SQLSession {
    var dialect: any SQLDefinitionDialect { PostgresDialect() }

    func inSnapshot(
        _ body: (_ begin: [PostgresStep], _ commit: [PostgresStep]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        if isInTransaction { return try body([], []) }
        let begin = PostgresStep("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        do throws(PersistencyError) { try body([begin], [PostgresStep("COMMIT")]) } catch {
            if isInTransaction { _ = try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Copies the lists in one round trip for each level.
    func copyLists(
        of owners: Range<Int>, _ plan: SQLTablePlan, _ content: ReadRequest.Content, end: [PostgresStep]
    ) throws(PersistencyError) {
        var level = [(owners: owners, plan: plan)].filter { !$0.owners.isEmpty && !$0.plan.schema.isFlat }
        var isLast = false
        while !isLast {
            var next: [(owners: Range<Int>, plan: SQLTablePlan)] = []
            let steps = level.flatMap { owners, plan in
                lists(of: owners, owners.map { rowBuffer.id($0) }, plan, content) { rows, child in
                    if !rows.isEmpty, !child.schema.isFlat { next.append((rows, child)) }
                }
            }
            isLast = level.allSatisfy(\.plan.isShallow)
            try run(steps + (isLast ? end : []))
            level = next
        }
    }

    /// The statements that read the lists of rows with these ids.
    ///
    /// - Parameter found: Called with the rows of each owned list.
    func lists(
        of owners: Range<Int>, _ ids: [RawID], _ plan: SQLTablePlan, _ content: ReadRequest.Content,
        _ found: @escaping (Range<Int>, SQLTablePlan) -> Void = { _, _ in }
    ) -> [PostgresStep] {
        let ids: Value = owners.count == 1 ? .id(ids[0]) : .blob(PostgresArray.bytes(ids))
        return (0..<plan.listCount).compactMap { number in
            guard let list = plan.list(number, of: owners, content) else { return nil }
            return PostgresStep(list.statement, [ids]) { [self] (rows) throws(PersistencyError) in
                let rows = try list.copy(rows, to: &rowBuffer)
                if let child = list.child { found(rows, child) }
            }
        }
    }
}
#endif
