internal import CLarderSQLite

extension SQLiteConnection {
    enum Checkpoint {
        /// As much as can be done without waiting.
        case passive
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

    /// Moves pages from the log to the database. What fails is tried again by the next one, and by opening.
    func checkpoint(_ mode: Checkpoint) {
        let mode = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
    }
}
