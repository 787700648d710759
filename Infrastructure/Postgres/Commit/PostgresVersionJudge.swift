#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The statements that lock the roots of a change set and judge their versions.
///
/// Every commit locks in the order of schemas and ids, so that commits do not deadlock. With the lock on what it has
/// only read, or found absent, a commit is ordered before every later change of it, also for readers who see both:
/// serializable transactions of PostgreSQL are not strictly serializable by themselves.
enum PostgresVersionJudge {
    /// - Parameter locking: Whether the transaction writes. Then it also locks ids that the change set expects to be absent.
    static func steps(
        _ changes: ChangeSet, _ plan: SQLPlan, locking: Bool
    ) throws(PersistencyError) -> [PostgresStep] {
        let expectations =
            changes.reads + changes.updates.map { RootExpectation($0.key, version: $0.expected) } + changes.deletes
        // The lock of the roots of each schema that the change set writes.
        var locks: [String: String] = [:]
        for update in changes.updates { locks[update.key.schema.name] = " FOR NO KEY UPDATE" }
        for delete in changes.deletes { locks[delete.key.schema.name] = " FOR UPDATE" }
        let found = Box<[EntityKey: Int64]>([:])
        var (steps, reservations): ([PostgresStep], [PostgresStep]) = ([], [])
        let roots = Dictionary(grouping: expectations, by: \.key.schema.name)
        for (name, roots) in roots.sorted(by: { $0.key < $1.key }) {
            let table = try plan.table(name)
            let text = table.versions.text + (locking ? locks[name] ?? " FOR SHARE" : "")
            steps.append(
                PostgresStep(text, [.blob(PostgresArray.bytes(roots.map(\.key.id)))]) { rows throws(PersistencyError) in
                    while rows.advance() { found.value[EntityKey(table.schema, try rows.lentID(0))] = rows.integer(1) }
                })
            let absent = Set(roots.filter { $0.version == nil }.map(\.key.id)).sorted()
            if !locking || absent.isEmpty { continue }
            reservations += table.reservation.map { PostgresStep($0, [.blob(PostgresArray.bytes(absent))]) }
        }
        let judged = steps.followed { () throws(PersistencyError) in
            for expectation in expectations where found.value[expectation.key] != expectation.version {
                throw .conflict(
                    Conflict(
                        expectation.key.reference, expected: expectation.version, found: found.value[expectation.key]))
            }
        }
        return judged + reservations
    }
}
#endif
