internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

struct SQLiteOpening: Sendable {
    /// "Lrdr": identifies a Larder database.
    static let applicationID: Int64 = 0x4C72_6472
    /// The format of the tables; a newer program may write a greater one.
    static let format: Int64 = 4

    let configuration: SQLiteStore.Configuration
    let plan: SQLPlan

    /// Opens the connection that writes, and creates the file if it is missing. The caller has the lock.
    ///
    /// Faults are reported in the order of the steps below, which ``SQLiteStore/open(_:schemas:)`` documents. Throws
    /// `incompatible` for a file of another program, of a newer format or with another schema; it is left unchanged.
    func writer(_ files: SQLiteFiles) throws(PersistencyError) -> SQLiteConnection {
        var copied: Int?
        if files.exists {
            try files.checkNames()
            try refuseEmpty(files)
            try checkCompanions(files)
            try check(files)
            // On a read-only connection, so that a rejection leaves the log unchanged, too.
            let pending = try migration(on: reader(files)).pending()
            try pending.check(configuration.migration)
            // Earlier versions of the program do not understand the migrated database.
            if !pending.isAdditive, configuration.migration.copies { copied = pending.record.version }
            try checkSize(files)
        } else {
            try files.create { path throws(PersistencyError) in try make(path) }
        }
        let hadLog = files.hasLog
        if hadLog { try checkPages(files) }
        let connection = try connect(files.path, SQLITE_OPEN_READWRITE)
        connection.setBusyTimeout(configuration.busyMilliseconds)
        connection.isMarkDue = !hadLog
        // The first read makes SQLite recover the log.
        try checkMark(connection, files)
        var dropped: DroppedTail?
        if hadLog, let log = try connection.checkpoint(.passive) {
            // The end of the log that recovery has ignored, which the next commit overwrites.
            dropped = try SQLiteLogFile(files.logPath)?.keepTail(behind: max(0, log.frames), in: files.path.folder)
        }
        try switchToLog(connection)
        try connection.execute("PRAGMA synchronous = \(configuration.durability.rawValue)")
        // A log that has grown shrinks to two intervals between checkpoints when it restarts.
        try connection.execute("PRAGMA journal_size_limit = \(8 << 20)")
        if let copied { try files.copy(connection, version: copied, configuration.passphrase) }
        try prepare(connection)
        if let dropped { configuration.onRecovery?(dropped) }
        return connection
    }

    /// Creates a database in an empty file, fills and closes it. No other process uses the file, so it needs no journal
    /// file.
    func make(
        _ path: String, _ fill: (SQLiteConnection) throws(PersistencyError) -> Void = { _ in }
    ) throws(PersistencyError) {
        let connection = try connect(path, SQLITE_OPEN_READWRITE)
        try connection.execute("PRAGMA journal_mode = MEMORY")
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.execute("PRAGMA user_version = \(Self.format)")
        try prepare(connection)
        try fill(connection)
        try switchToLog(connection)
    }

    /// Rejects a file of another program, or with several names, before a lock file is created next to it.
    ///
    /// A file with a lock file is a Larder database that may be open, so it is checked after the lock is acquired.
    func refuseForeign(_ files: SQLiteFiles) throws(PersistencyError) {
        if files.hasLockFile || !files.exists { return }
        try files.checkNames()
        try check(files)
    }

    func memory() throws(PersistencyError) -> SQLiteConnection {
        let connection = try SQLiteConnection(":memory:", flags: SQLITE_OPEN_READWRITE)
        try prepare(connection, hasFile: false)
        return connection
    }

    private func prepare(_ connection: SQLiteConnection, hasFile: Bool = true) throws(PersistencyError) {
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("PRAGMA trusted_schema = OFF")
        if hasFile { connection.fileMark = try SQLiteFileMark.read(connection) }
        try migration(on: connection).apply()
        try SQLiteJournal(connection: connection).prepare(isKept: configuration.journal != nil)
        if hasFile, connection.fileMark == nil {
            connection.fileMark = try SQLiteFileMark.create(connection)
            // The log has a mark now. Until the file has it, too, the next commit must not replace it.
            connection.isMarkDue = false
            try connection.checkpoint(.passive)
        }
        connection.watchLog()
    }

    func migration(on connection: SQLiteConnection) -> SQLiteMigration {
        SQLiteMigration(connection: connection, plan: plan, options: configuration.migration)
    }

    /// Rejects a file that is empty or not a Larder database. It is opened without locks or recovery.
    private func check(_ files: SQLiteFiles) throws(PersistencyError) {
        try refuseEmpty(files)
        do throws(PersistencyError) {
            let connection = try connect(files.immutableName, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            // SQLite treats a file of one byte as empty, and would overwrite it.
            guard try connection.integer("PRAGMA page_count") > 0 else {
                throw .incompatible("\(files.path) is not a database")
            }
            try checkMark(connection, files)
        } catch {
            guard error.isCorruption else { throw error.isUnreadable ? unreadable(files) : error }
            // After a crash during a checkpoint, a file is consistent only together with its log.
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

    /// A connection with the configured passphrase.
    func connect(_ name: String, _ flags: Int32) throws(PersistencyError) -> SQLiteConnection {
        try SQLiteConnection(name, flags: flags, passphrase: configuration.passphrase)
    }

    /// Switches to the write-ahead log. SQLite's busy timeout does not apply here.
    func switchToLog(_ connection: SQLiteConnection) throws(PersistencyError) {
        try LockFile.waiting(configuration.busyTimeout) { () throws(PersistencyError) in
            guard try connection.statement("PRAGMA journal_mode = WAL").first([], { $0.text(0) }) == "wal" else {
                throw .failed("the file system does not support a write-ahead log")
            }
        }
    }
}

extension SQLiteOpening {
    /// - Parameter busyMilliseconds: How long the first read may wait; the configured timeout by default.
    func reader(
        _ files: SQLiteFiles, busyMilliseconds: Int32? = nil
    ) throws(PersistencyError) -> SQLiteConnection {
        let busyMilliseconds = busyMilliseconds ?? configuration.busyMilliseconds
        do {
            // SQLite would create the files that coordinate readers and writers, and leave them.
            if configuration.access == .readOnly, !files.isInUse { return try immutableReader(files, busyMilliseconds) }
            return try reader(files.path, SQLITE_OPEN_READONLY, busyMilliseconds)
        } catch {
            if error.isUnreadable { throw unreadable(files) }
            // In a read-only folder, SQLite cannot create the files that coordinate readers and writers. They are not
            // needed without a log, because then no process writes; a log must not be ignored.
            guard let cause = error.sqliteError, [SQLITE_CANTOPEN, SQLITE_READONLY].contains(cause.primaryCode),
                files.exists
            else { throw error }
            guard !files.hasLog else {
                let message = "\(files.logPath) can be read only with write permission for its folder"
                throw .unavailable(Unavailable(.readOnly, message, cause: cause))
            }
            return try immutableReader(files, busyMilliseconds)
        }
    }

    /// A connection to a database that no process writes. Its reads fail if that changes.
    private func immutableReader(
        _ files: SQLiteFiles, _ busyMilliseconds: Int32
    ) throws(PersistencyError) -> SQLiteConnection {
        let stamp = SQLiteFiles.Stamp(files.path)
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let connection = try reader(files.immutableName, flags, busyMilliseconds)
        connection.immutableFiles = stamp
        return connection
    }

    private func reader(
        _ name: String, _ flags: Int32, _ busyMilliseconds: Int32
    ) throws(PersistencyError) -> SQLiteConnection {
        let connection = try connect(name, flags)
        connection.setBusyTimeout(busyMilliseconds)
        try connection.execute("PRAGMA trusted_schema = OFF")
        // The first read of the file, which reports its faults.
        _ = try connection.integer("SELECT count(*) FROM sqlite_master")
        return connection
    }
}
