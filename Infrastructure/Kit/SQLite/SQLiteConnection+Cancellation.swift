internal import CLarderSQLite
internal import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

extension SQLiteConnection {
    /// Runs statements that throw `cancelled` once the current task is cancelled. SQLite polls every 10,000
    /// instructions on the thread that runs the statement, so no other thread can interrupt the wrong statement. The
    /// thread yields its core then: otherwise a short read waits for the time slice of a long one, some milliseconds.
    func untilCancelled<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        if Task.isCancelled { throw .cancelled }
        let poll: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { _ in
            _ = sched_yield()
            return Task.isCancelled ? 1 : 0
        }
        unsafe sqlite3_progress_handler(handle, 10_000, poll, nil)
        defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        return try body()
    }
}
