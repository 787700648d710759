internal import LarderData
internal import LarderDomain

extension SQLiteChangeApplier {
    /// Changes all roots of a bulk update, and judges them.
    ///
    /// - Returns: Their number.
    func apply(_ bulk: BulkChange) throws(PersistencyError) -> Int {
        let plan = try self.plan.root(bulk.schema)
        let statements = try SQLBulkChange(bulk, plan, .sqlite)
        func id(_ query: SQLQuery, _ column: Int32) throws(PersistencyError) -> RawID? {
            try connection.statement(query).first(query.values) { $0.id(column) } ?? nil
        }
        for (column, query) in statements.refusing {
            if let refusing = try id(query, 0) { throw bulk.refusal(column, of: refusing) }
        }
        for assignment in bulk.assignments {
            guard case .set(.id(let target)) = assignment.change,
                let reference = plan.schema.columns[assignment.column].reference
            else { continue }
            guard try version(of: target, self.plan.table(reference.target)) == nil else { continue }
            let column = plan.schema.columns[assignment.column].name
            throw .dangling(Dangling(entity: plan.schema.name, column: column, id: target))
        }
        try connection.statement(statements.update).run(statements.update.values)
        let count = connection.lastChanges
        for (group, query) in statements.duplicates {
            if let existing = try id(query, 1) { throw bulk.duplicate(group, existing: existing) }
        }
        return Int(count)
    }
}
