internal import CLarderSQLite
internal import LarderDomain

extension SQLiteConnection {
    enum Checkpoint {
        /// As many frames as possible without waiting.
        case passive
        /// All frames, and truncates the log to zero bytes; waits for readers up to the busy timeout.
        case truncate
    }

    /// Records the log's length after each commit. This disables SQLite's automatic checkpoints, which run in commits.
    func watchLog() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // The connection lives as long as its handle; the callback runs on the thread that commits.
        unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                unsafe Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
                return SQLITE_OK
            }, context)
    }

    /// Copies pages from the log to the database. Returns the number of frames in the log and how many of them are in
    /// the database now, or `nil` if a lock of another connection prevented the checkpoint.
    @discardableResult
    func checkpoint(_ mode: Checkpoint) throws(PersistencyError) -> (frames: Int, moved: Int)? {
        let mode = mode == .truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        var (frames, moved) = (Int32(0), Int32(0))
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &moved)
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
            guard error.persistencyError.isBusy else { throw error.persistencyError }
            return nil
        }
        // The next commit may restart the log.
        if frames == moved { isMarkDue = true }
        return (Int(frames), Int(moved))
    }
}
