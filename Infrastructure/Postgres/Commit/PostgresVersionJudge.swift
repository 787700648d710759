#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The statements that lock the roots of a change set and judge their versions.
///
/// Every commit locks in the order of schemas and ids, so that commits do not deadlock. With the lock on what it has
/// only read, or found absent, a commit is ordered before every later change of it, also for readers who see both:
/// serializable transactions of PostgreSQL are not strictly serializable by themselves.
struct PostgresVersionJudge {
    private let plan: SQLPlan
    private let expectations: [RootExpectation]
    /// The lock of the roots of each schema that the change set writes.
    private var locks: [String: String] = [:]

    init(_ plan: SQLPlan, _ changes: ChangeSet) {
        self.plan = plan
        expectations =
            changes.reads + changes.updates.map { RootExpectation($0.key, version: $0.expected) } + changes.deletes
        for update in changes.updates { locks[update.key.schema.name] = " FOR NO KEY UPDATE" }
        for delete in changes.deletes { locks[delete.key.schema.name] = " FOR UPDATE" }
    }

    func steps() throws(PersistencyError) -> [PostgresStep] {
        try steps { locks[$0] ?? " FOR SHARE" } + reservations()
    }

    /// The locks of ids that the change set expects to be absent.
    private func reservations() throws(PersistencyError) -> [PostgresStep] {
        var absent: [String: Set<RawID>] = [:]
        for expectation in expectations where expectation.version == nil {
            absent[expectation.key.schema.name, default: []].insert(expectation.key.id)
        }
        var steps: [PostgresStep] = []
        for (name, ids) in absent.sorted(by: { $0.key < $1.key }) {
            guard let table = plan[name] else { throw .unknownEntity(name) }
            let ids = Value.blob(PostgresArray.bytes(ids.sorted()))
            steps += table.reservation.map { PostgresStep($0, [ids]) }
        }
        return steps
    }

    /// The same without locks, for a transaction that only reads.
    func readingSteps() throws(PersistencyError) -> [PostgresStep] { try steps { _ in "" } }

    private func steps(_ lock: (String) -> String) throws(PersistencyError) -> [PostgresStep] {
        var ids: [String: [RawID]] = [:]
        for expectation in expectations { ids[expectation.key.schema.name, default: []].append(expectation.key.id) }
        let found = Box<[EntityKey: Int64]>([:])
        var steps: [PostgresStep] = []
        for (name, ids) in ids.sorted(by: { $0.key < $1.key }) {
            guard let table = plan[name] else { throw .unknownEntity(name) }
            steps.append(
                PostgresStep(table.versions.text + lock(name), [.blob(PostgresArray.bytes(ids))]) {
                    (result) throws(PersistencyError) in
                    while result.advance() {
                        found.value[EntityKey(table.schema, try result.id(0))] = result.integer(1)
                    }
                })
        }
        guard let last = steps.popLast() else { return [] }
        let expectations = expectations
        steps.append(
            PostgresStep(last.text, last.values) { (result) throws(PersistencyError) in
                try last.evaluate(result)
                for expectation in expectations where found.value[expectation.key] != expectation.version {
                    throw .conflict(
                        Conflict(
                            expectation.key.reference, expected: expectation.version,
                            found: found.value[expectation.key]))
                }
            })
        return steps
    }
}
#endif
