internal import LarderData
internal import LarderDomain

/// Applies and validates one change set within a transaction, which the caller rolls back on an error.
///
/// Statements that expect a version detect conflicts themselves: a row with another version does not match. They
/// precede all inserts, so that a conflict is reported before a duplicate.
struct SQLiteChangeApplier {
    let connection: SQLiteConnection
    let plan: SQLPlan
    /// Whether the indexes of words are kept. A migration creates them at its end.
    var keepsWordIndexes = true

    /// - Returns: The number of roots that its bulk update has changed.
    @discardableResult func apply(_ changes: ChangeSet) throws(PersistencyError) -> Int {
        let indexed = connection.rowsIndexed
        for read in changes.reads { try judge(read) }
        for update in changes.updates { try updateRoot(update) }
        for delete in changes.deletes { try self.delete(delete) }
        // Owned objects are deleted before any is inserted, because an id may move from one list to another.
        for update in changes.updates { try deleteOwned(update.changes, update.key.id, plan.root(update.key.schema)) }
        try insertRoots(changes)
        // After all roots, so that every store reports the same one of several duplicate ids.
        for index in changes.inserts.indices where !changes.inserts[index].schema.isFlat {
            try insertOwned(by: changes.inserts[index], plan.root(changes.inserts[index].schema))
        }
        for update in changes.updates { try changeOwned(update.changes, update.key.id, plan.root(update.key.schema)) }
        for query in try SQLRemoval.statements(of: changes, plan, .sqlite) {
            try connection.statement(query.text).run(query.values)
        }
        let bulkCount = try changes.bulk.map { (bulk) throws(PersistencyError) in try apply(bulk) }
        if connection.rowsIndexed != indexed { try mergeWordIndexes() }
        try judgeUniqueness(changes)
        // SQLite only counts dangling references. The search for the first one runs only if there are any.
        if connection.hasDanglingReferences {
            throw try SQLiteReferenceJudge(writer: self, changes: changes).dangling()
        }
        return bulkCount ?? 0
    }

    /// Throws `conflict` unless a root has the expected version.
    func judge(_ expectation: RootExpectation) throws(PersistencyError) {
        let found = try version(of: expectation.key.id, plan.root(expectation.key.schema))
        guard found == expectation.version else {
            throw .conflict(Conflict(expectation.key.reference, expected: expectation.version, found: found))
        }
    }

    func version(of id: RawID, _ plan: SQLTablePlan) throws(PersistencyError) -> Int64? {
        try connection.statement(plan.versions).first([.id(id)]) { $0.integer(1) }
    }

    private func updateRoot(_ update: RootUpdate) throws(PersistencyError) {
        let plan = try self.plan.root(update.key.schema)
        let columns = update.changes.columns
        let statement =
            columns.isEmpty
            ? try connection.statement(plan.touch)
            : try statement(of: columns, in: plan, moves: false)
        try statement.bind(update.key.id, at: 1)
        try statement.bind(update.expected, at: 2)
        try statement.bind(columns.map(\.value), from: 3)
        try statement.run()
        if connection.lastChanges == 0 { throw try conflict(update.key, update.expected, plan) }
    }

    /// The statement that writes exactly these columns.
    func statement(
        of columns: [ColumnChange], in plan: SQLTablePlan, moves: Bool
    ) throws(PersistencyError) -> SQLiteStatement {
        try connection.statement(SQLUpdate(plan: plan, columns: columns.map(\.column), moves: moves))
    }

    private func delete(_ expectation: RootExpectation) throws(PersistencyError) {
        guard let version = expectation.version else { return try judge(expectation) }
        let plan = try plan.root(expectation.key.schema)
        try deleteOwned(by: expectation.key.id, plan)
        try connection.statement(plan.deleteRoot).run([.id(expectation.key.id), .integer(version)])
        if connection.lastChanges == 0 { throw try conflict(expectation.key, version, plan) }
    }

    private func conflict(
        _ key: EntityKey, _ expected: Int64, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> PersistencyError {
        .conflict(Conflict(key.reference, expected: expected, found: try version(of: key.id, plan)))
    }

    /// Looks up the statement once for each run of one schema. Uses indices, because a copy of an object costs as much as
    /// binding a text.
    private func insertRoots(_ changes: ChangeSet) throws(PersistencyError) {
        var next = 0
        while next < changes.inserts.count {
            let (first, schema) = (next, changes.inserts[next].schema)
            let statement = try connection.statement(plan.root(schema).insert)
            defer {
                statement.finish()
                connection.statementsRun += next - first - 1
            }
            while next < changes.inserts.count, changes.inserts[next].schema === schema {
                defer { next += 1 }
                try statement.bind(changes.inserts[next].id, at: 1)
                try statement.bind(changes.keepsVersions ? changes.inserts[next].version : 1, at: 2)
                try statement.bind(changes.inserts[next].values, from: 3)
                guard try statement.insert(keepsValues: true) else {
                    throw .duplicateID(changes.inserts[next].id, schema)
                }
            }
        }
    }

    private func judgeUniqueness(_ changes: ChangeSet) throws(PersistencyError) {
        for check in SQLUniqueness.checks(of: changes, plan) {
            let statement = try connection.statement(check.duplicates)
            for id in check.written {
                defer { statement.finish() }
                try statement.bind(id, at: 1)
                while try statement.step() {
                    if let existing = statement.id(1) { try check.judge(id, existing) }
                }
            }
        }
    }
}
