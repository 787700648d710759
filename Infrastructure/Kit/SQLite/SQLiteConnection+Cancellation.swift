internal import CLarderSQLite
internal import LarderDomain

extension SQLiteConnection {
    /// Runs statements that throw `cancelled` once the current task is cancelled. SQLite polls every 10,000
    /// instructions on the thread that runs the statement, so no other thread can interrupt the wrong statement.
    func untilCancelled<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        if Task.isCancelled { throw .cancelled }
        unsafe sqlite3_progress_handler(handle, 10_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        return try body()
    }
}
