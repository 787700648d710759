#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

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
    init?(_ changes: ChangeSet, _ plan: SQLPlan, lifetime: UInt64) throws(PersistencyError) {
        guard changes.isOneUpdate, let root = changes.updates.first else { return nil }
        let (table, columns) = (try plan.root(root.key.schema), root.changes.columns)
        let isConstrained = columns.contains { change in
            table.schema.columns[change.column].reference != nil
                || table.schema.uniques.contains { $0.contains(change.column) }
        }
        if isConstrained || !root.changes.links.isEmpty || !root.changes.children.isEmpty { return nil }
        (id, key) = (changes.id, root.key)
        let values = [.id(key.id), .integer(root.expected)] + columns.map(\.value)
        let update = SQLUpdate(plan: table, columns: columns.map(\.column))
        step = PostgresJournal.append(changes, 0, to: lifetime, position, after: (update.text, values))
        byteCount = step.byteCount
    }

    static func exchange(
        of group: [PostgresGroupedUpdate], on connection: PostgresConnection
    ) -> PostgresExchange {
        // Without the process of the server, the outcome of a lost connection could not be found.
        guard let backend = connection.backend else { return PostgresExchange([]) }
        // In the order in which all commits lock, so that they do not deadlock.
        let updates = group.sorted { ($0.key.schema.name, $0.key.id) < ($1.key.schema.name, $1.key.id) }
        let steps = (updates.count > 1 ? [patience] : []) + updates.map(\.step)
        let warnings = connection.warnings
        return PostgresExchange(steps) { result in
            if case .failure(let error) = result {
                guard let cause = error.postgresError, cause.isDisconnection else { return }
                for update in updates { update.result = .success(.inDoubt(cause.unavailable, backend)) }
                return
            }
            let isReplicated = connection.warnings == warnings
            for update in updates where update.position.value != 0 {
                update.result =
                    isReplicated
                    ? .success(.committed(update.position.value))
                    : .failure(.inDoubt(update.id, Unavailable(.failed, PostgresCommit.isNotReplicated)))
            }
        }
    }
}
#endif
