#if Postgres
internal import LarderData
internal import LarderDomain

/// The commit of an update of one root's columns, if no constraint concerns them: one statement, which is sent together
/// with those of other commits. They are one transaction, and fail together; then, each runs on its own.
///
/// `@unchecked Sendable` is safe because one task or thread at a time uses it: the caller's, and that of the group while the
/// caller waits.
final class PostgresGroupedUpdate: PostgresGrouped, @unchecked Sendable {
    /// How long a group waits for a lock, so that a row that another transaction has locked delays no other commit.
    private static var patience: PostgresStep { PostgresStep("SELECT set_config('lock_timeout', '10', true)") }
    private let id: CommitID
    private let key: EntityKey
    private let step: PostgresStep
    private let position = Box<Int64>(0)
    /// `nil`, too, if the update does not find the expected version.
    var result: Result<PostgresCommit.Result, PersistencyError>?
    let byteCount: Int

    /// `nil` for other change sets.
    ///
    /// - Parameter lifetime: That of the store's tokens.
    init?(_ changes: ChangeSet, _ plan: PostgresPlan, lifetime: UInt64) throws(PersistencyError) {
        guard changes.isOneUpdate, let update = changes.updates.first else { return nil }
        let (table, columns) = (try plan.root(update.key.schema), update.changes.columns)
        let isConstrained = columns.contains { change in
            table.schema.columns[change.column].reference != nil
                || table.schema.uniques.contains { $0.contains(change.column) }
        }
        if isConstrained || !update.changes.links.isEmpty || !update.changes.children.isEmpty { return nil }
        (id, key) = (changes.id, update.key)
        let values = [.id(key.id), .integer(update.expected)] + columns.map(\.value)
        step = PostgresJournal.append(
            changes, to: lifetime, position, after: (table.update(columns.map(\.column)), values))
        byteCount = step.byteCount
    }

    static func exchange(
        of group: [PostgresGroupedUpdate], on connection: PostgresConnection
    ) -> PostgresExchange<Bool> {
        // Without the process of the server, the outcome of a lost connection could not be found.
        guard let backend = connection.backend else {
            return PostgresExchange([]) { (receive) throws(PersistencyError) in
                try receive(); return nil
            }
        }
        // In the order in which all commits lock, so that they do not deadlock.
        let updates = group.sorted { ($0.key.schema.name, $0.key.id) < ($1.key.schema.name, $1.key.id) }
        let steps = (updates.count > 1 ? [patience] : []) + updates.map(\.step)
        return PostgresExchange(steps) { (receive) throws(PersistencyError) in
            let warnings = connection.notices.warnings
            do throws(PersistencyError) { try receive() } catch {
                if let cause = error.postgresError, cause.isDisconnection {
                    for update in updates {
                        update.result = .success(.inDoubt(cause.unavailable, backend))
                    }
                }
                throw error
            }
            let isReplicated = connection.notices.warnings == warnings
            for update in updates where update.position.value != 0 {
                update.result =
                    isReplicated
                    ? .success(.committed(update.position.value))
                    : .failure(.inDoubt(update.id, Unavailable(.failed, PostgresCommit.isNotReplicated)))
            }
            return true
        }
    }
}
#endif
