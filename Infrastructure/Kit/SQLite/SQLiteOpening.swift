internal import CLarderSQLite
internal import LarderDomain

struct SQLiteOpening: Sendable {
    /// "Lrdr": marks a database as one of ours.
    static let applicationID: Int64 = 0x4C72_6472
    /// The format of our tables; a greater one is of a newer program.
    static let format: Int64 = 1

    let configuration: SQLiteStore.Configuration
    let plan: SQLPlan

    /// The connection that writes a file, which is made if it is missing. The caller has the lock.
    ///
    /// Faults are told in the order in which the steps below find them; ``SQLiteStore/open(_:schemas:)`` states it.
    /// Throws `incompatible` for a file that is not ours, of a newer program or another schema; it is left untouched.
    func writer(_ files: SQLiteFiles) throws(PersistencyError) -> SQLiteConnection {
        if files.exists {
            try check(files)
            // On a connection that only reads, so that a refusal leaves the log as it is, too.
            _ = try SQLiteSchemaRecord(connection: reader(files), plan: plan).pending()
            try checkSize(files)
        } else {
            try files.create { path throws(PersistencyError) in try make(path) }
        }
        let hadLog = files.hasLog
        if hadLog { try checkPages(files) }
        let connection = try SQLiteConnection(files.path, flags: SQLITE_OPEN_READWRITE)
        connection.setBusyTimeout(configuration.busyMilliseconds)
        // The first look makes SQLite recover the log.
        try checkMark(connection, files)
        let dropped = hadLog ? try finishRecovery(connection, files) : nil
        try switchToLog(connection)
        try connection.execute("PRAGMA synchronous = \(configuration.durability.rawValue)")
        try prepare(connection)
        if let dropped { configuration.onRecovery?(dropped) }
        return connection
    }

    /// Makes a database in an empty file, and closes it. The file is not known to anybody yet, so it needs no journal.
    private func make(_ path: String) throws(PersistencyError) {
        let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("PRAGMA journal_mode = MEMORY")
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.execute("PRAGMA user_version = \(Self.format)")
        try prepare(connection)
        try switchToLog(connection)
    }

    /// Moves a recovered log to the database, and keeps what recovery has dropped.
    private func finishRecovery(
        _ connection: SQLiteConnection, _ files: SQLiteFiles
    ) throws(PersistencyError) -> DroppedTail? {
        guard let log = try connection.checkpoint(.passive) else { return nil }
        let pageSize = Int(try connection.integer("PRAGMA page_size"))
        return try SQLiteLogFile(files.logPath, pageSize: pageSize)?
            .keepTail(behind: max(0, log.frames), in: files.folder)
    }

    /// Refuses a file of another program before anything is put beside it.
    ///
    /// With a lock file beside it, a file is ours, and may be open; then the lock comes first.
    func refuseForeign(_ files: SQLiteFiles) throws(PersistencyError) {
        if !files.hasLockFile, files.exists { try check(files) }
    }

    func memory() throws(PersistencyError) -> SQLiteConnection {
        let connection = try SQLiteConnection(":memory:", flags: SQLITE_OPEN_READWRITE)
        try prepare(connection)
        return connection
    }

    private func prepare(_ connection: SQLiteConnection) throws(PersistencyError) {
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("PRAGMA trusted_schema = OFF")
        try SQLiteSchemaRecord(connection: connection, plan: plan).apply()
        connection.watchLog()
    }

    /// Refuses a file that is empty or not a database of ours. It is opened in a way that neither locks nor recovers.
    private func check(_ files: SQLiteFiles) throws(PersistencyError) {
        try refuseEmpty(files)
        do throws(PersistencyError) {
            let connection = try SQLiteConnection(files.immutableName, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            // SQLite takes a file of one byte for an empty one, and would write over it.
            guard try connection.integer("PRAGMA page_count") > 0 else {
                throw .incompatible("\(files.path) is not a database")
            }
            try checkMark(connection, files)
        } catch {
            guard error.isCorruption else { throw error }
            // A process that died while checkpointing left a file that makes sense only together with its log.
            guard files.hasLog else { throw .damaged(files.path, "\(error)", cause: error) }
            try checkMark(reader(files), files)
        }
    }

    func checkMark(_ connection: SQLiteConnection, _ files: SQLiteFiles) throws(PersistencyError) {
        guard try connection.integer("PRAGMA application_id") == Self.applicationID else {
            throw .incompatible("\(files.path) is a database of another program")
        }
        let format = try connection.integer("PRAGMA user_version")
        guard format <= Self.format else {
            throw .incompatible("\(files.path) is of format \(format), which is newer than \(Self.format)")
        }
    }

    /// Turns the write-ahead log on. SQLite does not wait for others here by itself.
    private func switchToLog(_ connection: SQLiteConnection) throws(PersistencyError) {
        try LockFile.waiting(configuration.busyTimeout) { () throws(PersistencyError) in
            let statement = try connection.statement("PRAGMA journal_mode = WAL")
            defer { statement.finish() }
            guard try statement.step(), statement.text(0) == "wal" else {
                throw .unavailable(Unavailable(.failed, "the file system cannot hold a write-ahead log"))
            }
        }
    }
}

extension SQLiteOpening {
    /// - Parameter busyMilliseconds: How long its first look may wait; the configured time if it is not given.
    func reader(
        _ files: SQLiteFiles, busyMilliseconds: Int32? = nil
    ) throws(PersistencyError) -> SQLiteConnection {
        let busyMilliseconds = busyMilliseconds ?? configuration.busyMilliseconds
        do {
            return try reader(files.path, SQLITE_OPEN_READONLY, busyMilliseconds)
        } catch {
            // In a folder that cannot be written SQLite cannot make the files by which readers and writers agree. If no
            // log is there, nobody writes, and it needs none; a log must not be passed over.
            guard let cause = error.sqliteError, [SQLITE_CANTOPEN, SQLITE_READONLY].contains(cause.primaryCode),
                files.exists
            else { throw error }
            guard !files.hasLog else {
                let message = "\(files.logPath) can be read only with the right to write to its folder"
                throw .unavailable(Unavailable(.readOnly, message, cause: cause))
            }
            let stamp = SQLiteFiles.Stamp(files.path)
            let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            let connection = try reader(files.immutableName, flags, busyMilliseconds)
            connection.immutableFiles = stamp
            return connection
        }
    }

    private func reader(
        _ name: String, _ flags: Int32, _ busyMilliseconds: Int32
    ) throws(PersistencyError) -> SQLiteConnection {
        let connection = try SQLiteConnection(name, flags: flags)
        connection.setBusyTimeout(busyMilliseconds)
        try connection.execute("PRAGMA trusted_schema = OFF")
        // The first look at the file: what is wrong with it shows here.
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        return connection
    }
}
