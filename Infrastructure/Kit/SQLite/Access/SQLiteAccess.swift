internal import LarderData
internal import LarderDomain

/// The feature of a ``SQLiteStore`` that runs SQL, for operations that no port should abstract: a full-text index, a
/// report, a table of the service.
///
/// ```swift
/// guard let access = store.feature(SQLiteAccess.self) else { return }
/// let names = try await access.read { database in
///     try database.rows("SELECT name FROM recipe WHERE rating >= ?1", [.integer(4)]).map { $0["name"] }
/// }
/// ```
///
/// Reading is the default: ``read(_:)`` cannot change anything. ``write(_:)`` changes tables of the service, never those
/// of the store. A body is synchronous and runs in one transaction, which ends with it, so that no transaction remains
/// open and the log can restart.
///
/// Both throw the body's errors unchanged. They also throw `cancelled` if the task is cancelled before the body starts,
/// and `unavailable`: `closed`, or `busy` if another process has a lock, or a read keeps the log too long, for longer than
/// the busy timeout. A cancelled
/// task interrupts a running statement, which then throws `cancelled`.
public struct SQLiteAccess: Sendable {
    let store: SQLiteStore

    /// Reads from one snapshot, which the first statement of the body takes. It contains all acknowledged commits.
    ///
    /// Runs on a thread for scans, on a read-only connection that no other work uses meanwhile; in memory, on the store's
    /// thread, where commits wait for it. The connection's cached statements are prepared again after it. While the body
    /// runs, the log cannot restart, so the body must be short.
    public func read<Result: Sendable>(
        _ body: @Sendable (SQLiteDatabase) throws -> Result
    ) async throws -> Result {
        if Task.isCancelled { throw PersistencyError.cancelled }
        return try await store.scan(isShort: false) { connection throws(PersistencyError) in
            try connection.begin()
            defer { connection.rollBack() }
            return try connection.run(body, SQLiteAuthorizer(protected: nil))
        }.get()
    }

    /// Writes in one transaction: commits when the body returns, and rolls back when it throws.
    ///
    /// Runs on the store's thread, on the only connection that writes. Commits wait for it; at `full` durability, it
    /// waits for its own sync. Refused are all changes to the store's tables and indexes, triggers on these tables,
    /// foreign keys to them, names that start with `larder_`, temporary tables, `ATTACH`, statements that begin or end
    /// a transaction, and every `PRAGMA` that is not known to be harmless. Changes are not published, and are not part
    /// of an export.
    ///
    /// - Throws: As ``SQLiteAccess`` describes. `unavailable` (`readOnly`) for a store that only reads;
    ///   `unsupportedQuery` if the body has changed the store's part of the schema; `inDoubt` if the device failed
    ///   during the commit, whose outcome stays `unknown`, because no change set was recorded.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @Sendable (SQLiteDatabase) throws -> Result
    ) async throws -> Result {
        if Task.isCancelled { throw PersistencyError.cancelled }
        guard let writer = store.writer else { throw PersistencyError.readOnly }
        if writer.isLogTooLong { try await writer.waitForRestart() }
        defer { writer.enqueueCheckpointIfDue() }
        let names = store.plan.names
        return try await writer.thread.run {
            try writer.write { connection in try connection.write(body, protecting: names) }
        }
    }
}

extension SQLiteStore {
    /// The store itself, or ``SQLiteAccess``.
    public nonisolated func feature<Feature>(_ type: Feature.Type) -> Feature? {
        self as? Feature ?? SQLiteAccess(store: self) as? Feature
    }
}
