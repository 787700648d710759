internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

extension SQLiteFiles {
    /// The copy of the database of an earlier version of the schemas, as it was before a migration.
    func copyPath(ofVersion version: Int) -> String { path + ".version-\(version)" }

    /// Copies the database durably, with everything that its log contains. Replaces an earlier copy of the same version.
    ///
    /// - Parameters:
    ///   - connection: A connection to the database.
    ///   - passphrase: Its passphrase, which the copy has, too.
    func copy(
        _ connection: SQLiteConnection, version: Int, _ passphrase: Passphrase?
    ) throws(PersistencyError) {
        let target = copyPath(ofVersion: version)
        let draft = try DraftFile(Self.draft(of: target), POSIXFileSystem())
        try connection.copy(to: SQLiteConnection(draft.path, flags: SQLITE_OPEN_READWRITE, passphrase: passphrase))
        try draft.rename(to: target)
    }
}

extension SQLiteConnection {
    /// Copies the database page by page to an empty one, and syncs it.
    fileprivate func copy(to target: SQLiteConnection) throws(PersistencyError) {
        try target.execute("PRAGMA journal_mode = MEMORY")
        try target.execute("PRAGMA synchronous = FULL")
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw unsafe SQLiteError(
                code: sqlite3_errcode(target.handle), message: String(cString: sqlite3_errmsg(target.handle))
            ).persistencyError
        }
        let stepped = unsafe sqlite3_backup_step(backup, -1)
        let code = unsafe sqlite3_backup_finish(backup)
        guard stepped == SQLITE_DONE, code == SQLITE_OK else {
            let failed = code == SQLITE_OK ? stepped : code
            throw SQLiteError(code: failed, message: unsafe String(cString: sqlite3_errstr(failed))).persistencyError
        }
    }
}
