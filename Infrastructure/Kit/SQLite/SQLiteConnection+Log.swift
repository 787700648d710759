internal import CLarderSQLite
internal import LarderDomain

extension SQLiteConnection {
    enum Checkpoint {
        /// As much as can be done without waiting.
        case passive
        /// All, so that the next commit begins the log anew; waits for readers up to the busy timeout.
        case restart
        /// All, leaving an empty log.
        case truncate
    }

    /// Takes note of the log's length after each commit. SQLite's own checkpoints, which would run within a commit, end.
    func watchLog() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // The connection lives as long as the handle that calls back, and on the thread that commits.
        unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                unsafe Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
                return SQLITE_OK
            }, context)
    }

    /// Moves pages from the log to the database. Returns how many frames the log has, and how many of them the database
    /// has now; `nil` where another process was in the way.
    @discardableResult
    func checkpoint(_ mode: Checkpoint) throws(PersistencyError) -> (frames: Int, moved: Int)? {
        let mode =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        var (frames, moved) = (Int32(0), Int32(0))
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &moved)
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
            guard error.persistencyError.isBusy else { throw error.persistencyError }
            return nil
        }
        return (Int(frames), Int(moved))
    }
}
