#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The feature of a ``PostgresStore`` that runs SQL, for operations that no port should abstract: a report, a table of
/// the service.
///
/// ```swift
/// guard let access = store.feature(PostgresAccess.self) else { return }
/// let names = try await access.read { database in
///     try database.rows("SELECT name FROM recipe WHERE rating >= $1", [.integer(4)]).map { $0["name"] }
/// }
/// ```
///
/// Reading is the default: ``read(_:)`` cannot change anything. ``write(_:)`` changes tables of the service, never
/// those of the store. A body is synchronous, and runs in one transaction, which ends with it, on the thread of a
/// connection of the pool. The server ends the connection of a body that runs no statement for 5 seconds.
///
/// Both throw the body's errors unchanged. They also throw `cancelled` if the task is cancelled before the body starts,
/// and `unavailable`: `closed`, or `busy` if no connection becomes free in time. A cancelled task interrupts a running
/// statement, which then throws `cancelled`. A statement has the time limit and the lock limit of the store.
public struct PostgresAccess: Sendable {
    let store: PostgresStore

    /// Reads from one snapshot, which the first statement of the body takes. It contains all acknowledged commits.
    public func read<Result: Sendable>(
        _ body: @Sendable (PostgresDatabase) throws -> Result
    ) async throws -> Result {
        let workLog = store.workLog
        return try await store.pool.run(untilCancelled: true) { connection, thread throws(PersistencyError) in
            workLog.note(.scan, on: thread)
            return try connection.read(body)
        }.get()
    }

    /// Writes in one transaction: commits when the body returns, and rolls back when it throws.
    ///
    /// The transaction has one snapshot, and fails with `contention` if it changes a row that a concurrent one has
    /// changed. Refused are all changes to the store's tables, indexes and sequence, in any way, also by functions,
    /// triggers and cascades; their definitions and rights; foreign keys to them; names in their PostgreSQL schema that
    /// start with `larder_`; and statements that begin or end a transaction or change the session. Changes are not
    /// published, and are not part of an export. The connection is closed afterward.
    ///
    /// If the connection is lost during `COMMIT`, the store looks for the outcome, as for a commit.
    ///
    /// - Throws: As ``PostgresAccess`` describes. `unavailable` (`readOnly`) for a store that only reads;
    ///   `unsupportedQuery` if the transaction has changed what belongs to the store; `inDoubt` if the server does not
    ///   tell the outcome in time. ``PostgresStore/outcome(of:)`` finds the outcome later.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @Sendable (PostgresDatabase) throws -> Result
    ) async throws -> Result {
        let store = store
        try store.pool.checkOpen()
        if store.configuration.access == .readOnly { throw PersistencyError.readOnly }
        let (result, id, doubt) = try await store.pool.run(untilCancelled: true) {
            connection, thread throws(PersistencyError) in
            store.workLog.note(.sync, on: thread)
            store.workLog.note(.lockWait, on: thread)
            return try connection.write(body, protecting: store.plan.tableNames, store.lifetime)
        }.get()
        if let doubt, try await store.resolve(id, doubt, nil) == nil { throw PersistencyError.unavailable(doubt) }
        return result
    }
}

extension PostgresStore {
    /// The store itself, or ``PostgresAccess``.
    public func feature<Feature>(_ type: Feature.Type) -> Feature? {
        self as? Feature ?? PostgresAccess(store: self) as? Feature
    }
}
#endif
