internal import CLarderSQLite
internal import LarderDomain

/// Opens connections: what is checked and set before the first statement.
struct SQLiteOpening: Sendable {
    /// "Lrdr": marks a database as one of ours.
    static let applicationID: Int64 = 0x4C72_6472
    /// The format of our tables; a greater one is of a newer program.
    static let format: Int64 = 1

    let configuration: SQLiteStore.Configuration
    let plan: SQLPlan

    /// The connection that writes a file, which is made if need be. The lock is held already.
    ///
    /// - Throws: `incompatible` for a file that is not ours, of a newer program or another schema; it is left untouched.
    func writer(_ files: SQLiteFiles) throws(PersistencyError) -> SQLiteConnection {
        // On a connection that only reads, so that a refusal leaves the log as it is, too.
        if try isOurs(files) { try SQLiteSchemaRecord(reader(files), plan).check() }
        if !files.exists { try files.makeFile() }
        let connection = try SQLiteConnection(files.path, flags: SQLITE_OPEN_READWRITE)
        connection.setBusyTimeout(configuration.busyMilliseconds)
        // Only this connection has undone what a first opening left that was killed: then the mark was there, and is not.
        if try connection.integer("PRAGMA page_count") == 0 { try mark(connection) }
        try checkMark(connection, files)
        try switchToLog(connection)
        try connection.execute("PRAGMA synchronous = \(configuration.durability.rawValue)")
        try prepare(connection)
        return connection
    }

    /// Refuses a file of another program before anything is put beside it.
    ///
    /// With a lock file beside it, a file is ours, and may be open; then the lock comes first.
    func refuseForeign(_ files: SQLiteFiles) throws(PersistencyError) {
        if !files.hasLockFile { _ = try isOurs(files) }
    }

    /// The one connection of a database in memory.
    func memory() throws(PersistencyError) -> SQLiteConnection {
        let connection = try SQLiteConnection(":memory:", flags: SQLITE_OPEN_READWRITE)
        try prepare(connection)
        return connection
    }

    /// Marks a database as ours before the log exists, so that the mark stands in the file itself from the first.
    private func mark(_ connection: SQLiteConnection) throws(PersistencyError) {
        try connection.beginWriting()
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.execute("PRAGMA user_version = \(Self.format)")
        try connection.commit()
    }

    private func prepare(_ connection: SQLiteConnection) throws(PersistencyError) {
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("PRAGMA trusted_schema = OFF")
        try SQLiteSchemaRecord(connection, plan).apply()
        connection.watchLog()
    }

    /// Whether a file is ours, or else empty or missing. It is opened in a way that neither locks nor recovers.
    private func isOurs(_ files: SQLiteFiles) throws(PersistencyError) -> Bool {
        guard files.exists else { return false }
        do throws(PersistencyError) {
            let connection = try SQLiteConnection(files.immutableName, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            if try connection.integer("PRAGMA page_count") == 0 {
                // SQLite takes a file of one byte for an empty one, and would write over it.
                guard files.isEmpty else { throw .incompatible("\(files.path) is no database") }
                return false
            }
            try checkMark(connection, files)
        } catch {
            // Whoever died while checkpointing left a file that makes sense only together with its log.
            guard error.isCorruption, files.hasLog else { throw error }
            try checkMark(reader(files), files)
        }
        return true
    }

    private func checkMark(_ connection: SQLiteConnection, _ files: SQLiteFiles) throws(PersistencyError) {
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
        let end = ContinuousClock.now + configuration.busyTimeout
        while true {
            do throws(PersistencyError) {
                let statement = try connection.statement("PRAGMA journal_mode = WAL")
                defer { statement.finish() }
                guard try statement.step(), statement.text(0) == "wal" else {
                    throw .unavailable(Unavailable(.failed, "the file system cannot hold a write-ahead log"))
                }
                return
            } catch {
                guard error.isBusy, .now < end else { throw error }
                SQLiteFiles.pause()
            }
        }
    }
}

extension SQLiteOpening {
    /// A connection that only reads.
    ///
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
            guard case .unavailable(let trouble) = error, let cause = trouble.cause as? SQLiteError,
                [SQLITE_CANTOPEN, SQLITE_READONLY].contains(cause.primaryCode), files.exists, !files.hasLog
            else { throw error }
            let stamp = SQLiteFiles.Stamp(files.path)
            let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            let connection = try reader(files.immutableName, flags, busyMilliseconds)
            connection.immutableFiles = stamp
            return connection
        }
    }

    /// A connection that only reads, to a database that nobody here has checked.
    func firstReader(_ files: SQLiteFiles) throws(PersistencyError) -> SQLiteConnection {
        guard files.exists else { throw .unavailable(Unavailable(.failed, "there is no database at \(files.path)")) }
        let connection = try reader(files)
        try checkMark(connection, files)
        try SQLiteSchemaRecord(connection, plan).checkSame()
        return connection
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

extension PersistencyError {
    /// Whether the file contradicts itself.
    fileprivate var isCorruption: Bool {
        guard case .unavailable(let trouble) = self, let cause = trouble.cause as? SQLiteError else { return false }
        return cause.primaryCode == SQLITE_CORRUPT
    }
}
