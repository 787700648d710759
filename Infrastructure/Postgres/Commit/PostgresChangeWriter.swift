#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The statements that apply and judge one change set within a transaction, in the order of faults of the store's port.
struct PostgresChangeWriter {
    private typealias Roots = (table: SQLTablePlan, indexes: [Int])

    /// The least number of rows that are copied.
    private static let copied = 256
    let plan: SQLPlan
    let changes: ChangeSet
    /// Set if an update does not find the expected version.
    let isLost: Box<Bool>
    /// Receives the number of roots that the bulk update has changed.
    let bulkCount: Box<Int>

    /// - Parameters:
    ///   - judging: Whether versions are judged first.
    ///   - copying: Whether many rows are inserted by `COPY`. It fails if an id exists, without naming the first one.
    func steps(judging: Bool, copying: Bool) throws(PersistencyError) -> [PostgresStep] {
        var steps = [try locks()]
        if judging { steps += try PostgresVersionJudge.steps(changes, plan, locking: true) }
        var batches = PostgresBatches()
        for update in changes.updates {
            let table = try plan.root(update.key.schema)
            if update.changes.columns.isEmpty {
                batches.add([.id(update.key.id)], to: table.touch, [.id])
            }
            if let step = PostgresStep(update, table, isLost) { batches.updates.append(step) }
            batches.change(update.changes, of: update.key.id, table)
        }
        for delete in changes.deletes { batches.delete(delete.key.id, try plan.root(delete.key.schema)) }
        let inserted = inserted
        for (table, roots) in inserted where !table.schema.isFlat {
            for index in roots { batches.insertOwned(by: changes.inserts[index], table) }
        }
        steps += Self.removals(of: batches, plan)
        steps += insertions(of: inserted, copying: copying)
        steps += Self.ownedInsertions(of: batches, plan, copying: copying) + batches.updates
        steps += try SQLRemoval.statements(of: changes, plan, .postgres).map { PostgresStep($0.text, $0.values) }
        if let bulk = changes.bulk { steps += try self.steps(of: bulk) }
        steps += uniqueness()
        if mayDangle(inserted) { steps.append(PostgresStep("SET CONSTRAINTS ALL IMMEDIATE")) }
        return steps
    }

    private func steps(of bulk: BulkChange) throws(PersistencyError) -> [PostgresStep] {
        let statements = try SQLBulkChange(bulk, plan.root(bulk.schema), .postgres)
        func step(
            _ query: SQLQuery, _ evaluate: @escaping (PostgresResult) throws(PersistencyError) -> Void
        ) -> PostgresStep { PostgresStep(query.text, query.values, evaluate) }
        return statements.refusing.map { column, query in
            step(query) { (result) throws(PersistencyError) in
                if result.advance() { throw bulk.refusal(column, of: try result.lentID(0)) }
            }
        } + [step(statements.update) { bulkCount.value = $0.written }]
            + statements.duplicates.map { group, query in
                step(query) { (result) throws(PersistencyError) in
                    if result.advance() { throw bulk.duplicate(group, existing: try result.lentID(1)) }
                }
            }
    }

    /// The indexes of inserted roots, by table in the order of the plan. A list of the roots would copy each of them.
    private var inserted: [Roots] {
        let roots = Dictionary(grouping: changes.inserts.indices) { changes.inserts[$0].schema.name }
        return plan.roots.compactMap { table in roots[table.schema.name].map { (table, $0) } }
    }

    /// Whether it writes references or links, or deletes roots.
    private func mayDangle(_ inserted: [Roots]) -> Bool {
        !changes.deletes.isEmpty || !changes.removals.isEmpty || changes.bulk != nil
            || inserted.contains { table, _ in
                !table.schema.isFlat || table.schema.columns.contains { $0.reference != nil }
            }
            || changes.updates.contains { update in
                let columns = update.key.schema.columns
                return !update.changes.links.isEmpty || !update.changes.children.isEmpty
                    || update.changes.columns.contains { columns[$0.column].reference != nil }
            }
    }

    /// The lock of the commit, with which others wait for its outcome; and those of unique values, so that of two
    /// transactions with one value, the second waits before it writes. A constraint would make both wait for each other.
    /// Large change sets, and values that are not known, have none.
    private func locks() throws(PersistencyError) -> PostgresStep {
        var keys: Set<Int64> = [changes.id.lockKey]
        func add(_ table: SQLTablePlan, _ value: (Int) -> Value?) {
            for (number, group) in table.schema.uniques.enumerated() {
                let values = group.compactMap(value)
                if values.count < group.count || values.contains(.null) { continue }
                var bytes = Array("\(table.schema.name) \(number) ".utf8)
                for value in values { value.appendBinary(to: &bytes) }
                keys.insert(Int64(bitPattern: bytes.fingerprint))
            }
        }
        if changes.inserts.count + changes.updates.count <= 64 {
            for object in changes.inserts { add(try plan.root(object.schema)) { object.values[$0] } }
            for update in changes.updates {
                add(try plan.root(update.key.schema)) { column in
                    update.changes.columns.first { $0.column == column }?.value
                }
            }
        }
        let list = PostgresArray.bytes(keys.sorted().map(Value.integer), .integer)
        return PostgresStep("SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS keys (key)", [.blob(list)])
    }

    /// The statements that apply changes of rows without judging versions and roots.
    static func ownedSteps(of batches: PostgresBatches, _ plan: SQLPlan) -> [PostgresStep] {
        removals(of: batches, plan) + ownedInsertions(of: batches, plan) + batches.updates
    }

    /// Deleted objects with everything that they own, and roots that get a new version.
    private static func removals(of batches: PostgresBatches, _ plan: SQLPlan) -> [PostgresStep] {
        plan.tables.reversed().flatMap { table in
            let deletions = batches.steps(table.delete).flatMap { step in
                table.deleteOwned.map { PostgresStep($0, [step.values[0]]) } + [step]
            }
            return deletions + batches.steps(table.touch)
        }
    }

    /// Inserted roots. The first one whose id exists, in the order of the change set, is at fault.
    private func insertions(of inserted: [Roots], copying: Bool) -> [PostgresStep] {
        let (version, inserts) = (changes.version, changes.inserts)
        if copying, inserts.count >= Self.copied {
            return inserted.map { table, roots in
                PostgresStep(
                    table.copy,
                    loading: { append in
                        for object in roots.lazy.map({ inserts[$0] }) {
                            append([.id(object.id), .integer(version(object))], object.values)
                        }
                    })
            }
        }
        let stored = Box<Set<EntityKey>>([])
        return inserted.flatMap { table, roots in
            var rows = PostgresBatches.Lists(table.table.columnKinds)
            for object in roots.lazy.map({ inserts[$0] }) {
                rows.append([.id(object.id), .integer(version(object))] + object.values)
            }
            return rows.steps(table.insert.text) { _, result throws(PersistencyError) in
                while result.advance() { stored.value.insert(EntityKey(table.schema, try result.lentID(0))) }
            }
        }.followed { () throws(PersistencyError) in
            for object in inserts where !stored.value.contains(object.key) {
                throw .duplicateID(object.id, object.schema)
            }
        }
    }

    private static func ownedInsertions(
        of batches: PostgresBatches, _ plan: SQLPlan, copying: Bool = false
    ) -> [PostgresStep] {
        plan.tables.flatMap { table -> [PostgresStep] in
            let (schema, lists) = (table.schema, batches.rows(of: table.insert))
            let inserted =
                copying && lists.rows.count >= Self.copied
                ? [PostgresStep(table.copy, loading: { append in lists.rows.forEach { append($0, []) } })]
                : lists.steps(table.insert.text) { rows, result throws(PersistencyError) in
                    var stored = Set(try result.map { result throws(PersistencyError) in try result.lentID(0) })
                    for case .id(let id) in rows.map({ $0[0] }) where stored.remove(id) == nil {
                        throw .duplicateID(id, schema)
                    }
                }
            return inserted + batches.steps(table.move)
                + table.links.flatMap { batches.steps($0.put) + batches.steps($0.truncate) }
        }
    }

    /// Finds the duplicates that the transaction sees, and then those that it does not.
    private func uniqueness() -> [PostgresStep] {
        let checks = SQLUniqueness.checks(of: changes, plan)
        if checks.isEmpty { return [] }
        let names = checks.map { check in
            SQLText.quoted(PostgresDefinition.uniqueName(check.plan.schema.uniques[check.group], of: check.plan.table))
        }
        return checks.map { check in
            PostgresStep(check.duplicates, [.blob(PostgresArray.bytes(check.written))]) {
                (result) throws(PersistencyError) in
                while result.advance() { try check.judge(result.lentID(0), result.lentID(1)) }
            }
        } + [PostgresStep("SET CONSTRAINTS \(names.joined(separator: ", ")) IMMEDIATE")]
    }
}

extension [PostgresStep] {
    /// The same statements, with a further evaluation after that of the last one's result.
    func followed(by body: @escaping () throws(PersistencyError) -> Void) -> [PostgresStep] {
        guard let last else { return [] }
        let end = PostgresStep(last.text, last.values) { (result) throws(PersistencyError) in
            try last.evaluate(result)
            try body()
        }
        return dropLast() + [end]
    }
}

/// A value that the evaluations of several steps share.
final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension PostgresStep {
    /// The update of a root's columns; `nil` if there are none.
    fileprivate init?(_ update: RootUpdate, _ table: SQLTablePlan, _ isLost: Box<Bool>) {
        let columns = update.changes.columns
        if columns.isEmpty { return nil }
        self.init(
            SQLUpdate(plan: table, columns: columns.map(\.column)).text,
            [.id(update.key.id), .integer(update.expected)] + columns.map(\.value)
        ) { (result) throws(PersistencyError) in
            isLost.value = result.written == 0
            if isLost.value { throw .contention("\(update.key.reference) was changed concurrently") }
        }
    }
}
#endif
