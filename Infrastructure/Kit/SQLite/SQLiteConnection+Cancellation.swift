internal import CLarderSQLite
internal import LarderDomain

extension SQLiteConnection {
    /// Runs statements that end with `cancelled` when the running task is: SQLite asks every few thousand steps, on the
    /// thread that runs them, so that there is no other thread to interrupt the wrong one.
    func untilCancelled<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        if Task.isCancelled { throw .cancelled }
        unsafe sqlite3_progress_handler(handle, 10_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        return try body()
    }
}
