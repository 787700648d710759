#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The statements that apply and judge one change set within a transaction, in the order of faults of the store's port.
struct PostgresChangeWriter {
    private typealias Roots = (table: PostgresTable, indexes: [Int])

    /// The least number of rows that are copied.
    private static let copied = 256
    let plan: PostgresPlan
    let changes: ChangeSet
    /// Set if an update does not find the expected version.
    let isLost: Box<Bool>

    /// - Parameters:
    ///   - judging: Whether versions are judged first.
    ///   - copying: Whether many rows are inserted by `COPY`. It fails if an id exists, without naming the first one.
    func steps(judging: Bool, copying: Bool) throws(PersistencyError) -> [PostgresStep] {
        var steps = [try locks()]
        if judging { steps += try PostgresVersionJudge(plan, changes).steps() }
        var batches = PostgresBatches()
        for update in changes.updates {
            let table = try plan.root(update.key.schema)
            if update.changes.columns.isEmpty {
                batches.touched[table.schema.name, default: .init([.id])].append([.id(update.key.id)])
            }
            if let step = PostgresStep(update, table, isLost) { batches.updates.append(step) }
            batches.change(update.changes, of: update.key.id, table)
        }
        for delete in changes.deletes { batches.delete(delete.key.id, of: nil, try plan.root(delete.key.schema)) }
        let inserted = inserted
        for (table, roots) in inserted where !table.schema.isFlat {
            for index in roots { batches.insertOwned(by: changes.inserts[index], table) }
        }
        steps += Self.removals(of: batches, plan)
        steps += insertions(of: inserted, copying: copying)
        steps += Self.ownedInsertions(of: batches, plan, copying: copying) + batches.updates
        steps += try referenceRemovals() + uniqueness()
        if mayDangle(inserted) { steps.append(PostgresStep("SET CONSTRAINTS ALL IMMEDIATE")) }
        return steps
    }

    /// The indexes of inserted roots, by table in the order of the plan. A list of the roots would copy each of them.
    private var inserted: [Roots] {
        var roots: [String: [Int]] = [:]
        for index in changes.inserts.indices { roots[changes.inserts[index].schema.name, default: []].append(index) }
        return plan.roots.compactMap { table in roots[table.schema.name].map { (table, $0) } }
    }

    /// Whether it writes references or links, or deletes roots.
    private func mayDangle(_ inserted: [Roots]) -> Bool {
        !changes.deletes.isEmpty || !changes.removals.isEmpty || inserted.contains(where: \.table.hasForeignKeys)
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
        func add(_ table: PostgresTable, _ value: (Int) -> Value?) {
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
    static func ownedSteps(of batches: PostgresBatches, _ plan: PostgresPlan) -> [PostgresStep] {
        removals(of: batches, plan) + ownedInsertions(of: batches, plan) + batches.updates
    }

    /// Deleted objects with everything that they own, and roots that get a new version.
    private static func removals(of batches: PostgresBatches, _ plan: PostgresPlan) -> [PostgresStep] {
        plan.tables.reversed().flatMap { table in
            let isDerived = table.schema.isDerived
            let deletions = (batches.deleted[table.schema.name]?.parts ?? []).flatMap { part in
                table.deleteOwned.map { PostgresStep($0, [part.values[0]]) }
                    + [PostgresStep(isDerived ? table.deleteDerived : table.delete, part.values)]
            }
            let touches = batches.touched[table.schema.name]?.parts ?? []
            return deletions + touches.map { PostgresStep(table.touch, $0.values) }
        }
    }

    /// Inserted roots. The first one whose id exists, in the order of the change set, is at fault.
    private func insertions(of inserted: [Roots], copying: Bool) -> [PostgresStep] {
        let (version, inserts) = (changes.version, changes.inserts)
        if copying, inserts.count >= Self.copied {
            return inserted.map { table, roots in
                PostgresStep(copyingInto: table) { copy in
                    for index in roots { copy.append(inserts[index], version: version(inserts[index])) }
                }
            }
        }
        let stored = Box<Set<EntityKey>>([])
        var steps = inserted.flatMap { table, roots in
            var rows = PostgresBatches.Lists(table.table.columnKinds)
            for object in roots.lazy.map({ inserts[$0] }) {
                rows.append([.id(object.id), .integer(version(object))] + object.values)
            }
            return rows.parts.map { part in
                PostgresStep(table.insert, part.values) { (result) throws(PersistencyError) in
                    while result.advance() { stored.value.insert(EntityKey(table.schema, try result.id(0))) }
                }
            }
        }
        guard let last = steps.popLast() else { return [] }
        steps.append(
            PostgresStep(last.text, last.values) { (result) throws(PersistencyError) in
                try last.evaluate(result)
                for object in inserts where !stored.value.contains(object.key) {
                    throw .duplicateID(object.id, object.schema)
                }
            })
        return steps
    }

    private static func ownedInsertions(
        of batches: PostgresBatches, _ plan: PostgresPlan, copying: Bool = false
    ) -> [PostgresStep] {
        plan.tables.flatMap { table -> [PostgresStep] in
            let (name, schema) = (table.schema.name, table.schema)
            let lists = batches.inserted[name]
            let copies = copying && !schema.isDerived && (lists?.rows.count ?? 0) >= Self.copied
            let copied =
                copies ? [PostgresStep(copyingInto: table) { copy in lists?.rows.forEach { copy.append($0) } }] : []
            let inserted = (copies ? [] : lists?.parts ?? []).map { part in
                let ids = part.rows.map { $0[0] }
                return PostgresStep(table.insert, part.values) { (result) throws(PersistencyError) in
                    if schema.isDerived { return }
                    var stored: Set<Value> = []
                    while result.advance() { stored.insert(.id(try result.id(0))) }
                    for case .id(let id) in ids where stored.remove(.id(id)) == nil { throw .duplicateID(id, schema) }
                }
            }
            let moved = (batches.moved[name]?.parts ?? []).map { PostgresStep(table.move, $0.values) }
            let links = table.links.flatMap { link in
                (batches.put[link.table.name]?.parts ?? []).map { PostgresStep(link.put, $0.values) }
                    + (batches.truncated[link.table.name]?.parts ?? []).map { PostgresStep(link.truncate, $0.values) }
            }
            return copied + inserted + moved + links
        }
    }

    /// Removes references from all referring aggregates without reading them.
    private func referenceRemovals() throws(PersistencyError) -> [PostgresStep] {
        var steps: [PostgresStep] = []
        for (name, groups) in PreparedRemovals(changes.removals).groups.sorted(by: { $0.key < $1.key }) {
            guard let root = plan[name]?.table else { throw .unknownEntity(name) }
            let removals = groups.map { SQLRemoval($0.reference, root, .postgres) }
            let targets = groups.map { Value.blob(PostgresArray.bytes($0.targets)) }
            // Roots that the change set writes already have their new versions.
            let written =
                changes.updates.filter { $0.key.schema.name == name }.map(\.key.id)
                + changes.inserts.filter { $0.schema.name == name }.map(\.id)
            // All versions are raised before the first removal, which deletes the values that identify referring roots.
            steps.append(
                PostgresStep(
                    SQLRemoval.raise(removals, root, .postgres), [.blob(PostgresArray.bytes(written))] + targets))
            for (removal, targets) in zip(removals, targets) {
                let gaps = removal.park.map { [$0] + removal.closeGaps } ?? []
                steps += (gaps + [removal.remove]).map { PostgresStep($0, [targets]) }
            }
        }
        return steps
    }

    /// Finds the duplicates that the transaction sees, and then those that it does not.
    private func uniqueness() throws(PersistencyError) -> [PostgresStep] {
        var steps: [PostgresStep] = []
        var constraints: [String] = []
        for table in plan.roots {
            for (number, group) in table.schema.uniques.enumerated() {
                let written =
                    changes.updates.filter { $0.key.schema.name == table.schema.name && $0.writes(group) }.map(\.key.id)
                    + changes.inserts.filter { $0.schema.name == table.schema.name }.map(\.id)
                if written.isEmpty { continue }
                constraints.append(SQLText.quoted(PostgresDefinition.uniqueName(group, of: table.table)))
                let places = Dictionary(zip(written, written.indices)) { first, _ in first }
                let columns = group.map { table.schema.columns[$0].name }
                steps.append(
                    PostgresStep(table.duplicates[number], [.blob(PostgresArray.bytes(written))]) {
                        (result) throws(PersistencyError) in
                        while result.advance() {
                            let (id, existing) = (try result.id(0), try result.id(1))
                            // Of two duplicates in the change set, the later one is at fault.
                            if let other = places[existing], let place = places[id], other > place { continue }
                            throw .duplicate(
                                Duplicate(entity: table.schema.name, columns: columns, existing: existing))
                        }
                    })
            }
        }
        if constraints.isEmpty { return [] }
        return steps + [PostgresStep("SET CONSTRAINTS \(constraints.joined(separator: ", ")) IMMEDIATE")]
    }
}

/// A value that the evaluations of several steps share.
final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension PostgresStep {
    /// The update of a root's columns; `nil` if there are none.
    fileprivate init?(_ update: RootUpdate, _ table: PostgresTable, _ isLost: Box<Bool>) {
        let columns = update.changes.columns
        if columns.isEmpty { return nil }
        self.init(
            table.update(columns.map(\.column)),
            [.id(update.key.id), .integer(update.expected)] + columns.map(\.value)
        ) { (result) throws(PersistencyError) in
            isLost.value = result.written == 0
            if isLost.value { throw .contention("\(update.key.reference) was changed concurrently") }
        }
    }
}

extension RootUpdate {
    /// Whether it may change values of a unique group.
    fileprivate func writes(_ group: [Int]) -> Bool { changes.columns.contains { group.contains($0.column) } }
}

extension PersistencyError {
    fileprivate static func duplicateID(_ id: RawID, _ schema: EntitySchema) -> PersistencyError {
        .duplicate(Duplicate(entity: schema.name, columns: ["id"], existing: id))
    }
}
#endif
