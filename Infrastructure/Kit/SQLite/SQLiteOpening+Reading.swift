internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

extension SQLiteOpening {
    /// Opens a read-only connection and checks the database.
    func firstReader(_ files: SQLiteFiles) throws(PersistencyError) -> SQLiteConnection {
        guard files.exists else { throw .failed("no database exists at \(files.path)") }
        let connection = try checkedReader(files)
        let pending = try migration(on: connection).pending()
        if !pending.concernsIndexesOnly {
            throw .incompatible(
                "the database must be migrated first (pending: \(pending.descriptions.joined(separator: "; ")))")
        }
        try checkSize(files)
        return connection
    }

    func checkedReader(_ files: SQLiteFiles) throws(PersistencyError) -> SQLiteConnection {
        try refuseEmpty(files)
        try checkCompanions(files)
        do throws(PersistencyError) {
            let connection = try reader(files)
            try checkMark(connection, files)
            return connection
        } catch {
            guard error.isCorruption else { throw error }
            throw .damaged(files.path, "\(error)", cause: error)
        }
    }

    /// Creates a missing database and applies pending additions, both under the writer's lock and only if necessary:
    /// reading a database that is up to date requires neither a lock nor write permission.
    func upgrade(_ files: SQLiteFiles) throws(PersistencyError) {
        guard let missing = try missing(files) else { return }
        do throws(PersistencyError) {
            try refuseForeign(files)
            let lock = try lock(files)
            try withExtendedLifetime(lock) { () throws(PersistencyError) in
                let connection = try writer(files)
                // After a failure, the next writer checkpoints the log.
                _ = try? connection.checkpoint(.truncate)
            }
        } catch {
            // Another process may have upgraded the database in the meantime.
            guard try self.missing(files) != nil else { return }
            guard files.exists else { throw error }
            if case .incompatible = error { throw error }
            throw .incompatible("the database must be migrated first, which is impossible now (\(missing)): \(error)")
        }
    }

    /// Acquires the writer's lock; waits up to the busy timeout.
    func lock(_ files: SQLiteFiles) throws(PersistencyError) -> LockFile {
        try LockFile.waiting(configuration.busyTimeout) { () throws(PersistencyError) in
            try LockFile(files.lockPath, purpose: configuration.purpose)
        }
    }

    /// The first missing part of a database, or `nil` if it is complete.
    private func missing(_ files: SQLiteFiles) throws(PersistencyError) -> String? {
        guard files.exists else { return "any table" }
        let pending = try migration(on: checkedReader(files)).pending()
        return pending.concernsIndexesOnly ? nil : pending.descriptions.first
    }

    /// Rejects an empty file: a database is never empty unless it was truncated.
    func refuseEmpty(_ files: SQLiteFiles) throws(PersistencyError) {
        guard files.size == 0 else { return }
        throw .incompatible(
            "\(files.path) is empty, so it is not a database; put a copy in its place, or remove it to start a new one")
    }

    /// Rejects a database without a pending log whose file size does not match its pages. SQLite itself detects only
    /// missing whole pages.
    func checkSize(_ files: SQLiteFiles) throws(PersistencyError) {
        // Retries if a writer has started or ended in the meantime.
        for _ in 0..<5 {
            let before = SQLiteFiles.Stamp(files.path)
            if files.hasLog { return }
            let connection = try connect(files.immutableName, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            do throws(PersistencyError) {
                let pages = try connection.integer("PRAGMA page_count")
                let pageSize = try connection.integer("PRAGMA page_size")
                guard let size = files.size, size != pages * pageSize else { return }
                throw .damaged(
                    files.path,
                    "it has \(size) bytes instead of \(pages * pageSize), which are \(pages) pages of \(pageSize)")
            } catch {
                if before == before.now, !files.hasLog { throw error }
            }
        }
    }

    /// Rejects a database with pages that are missing from its file and from its pending log. A checkpoint by SQLite
    /// would fill them with zeros.
    func checkPages(_ files: SQLiteFiles) throws(PersistencyError) {
        guard let log = try SQLiteLogFile(files.logPath), case let (pages, count?) = try log.pages(),
            let size = files.size, size / log.pageSize < count
        else { return }
        let missing = (size / log.pageSize + 1...count).first { !pages.contains($0) }
        guard let missing else { return }
        throw .damaged(
            files.path, "it has \(size) bytes, and page \(missing) of its \(count) pages is not in its log either")
    }
}

extension SQLiteOpening {
    /// The error for a file whose first page cannot be read.
    func unreadable(_ files: SQLiteFiles) -> PersistencyError {
        guard configuration.passphrase != nil else {
            return .incompatible("the file is not a database, or a passphrase seals it")
        }
        let plain = try? SQLiteConnection(files.immutableName, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        if let plain, (try? plain.integer("PRAGMA page_count")) ?? 0 > 0 { return .passphrase(.unexpected, files.path) }
        // The size of a page is a multiple of 512 bytes.
        if let size = files.size, size % 512 != 0 { return .damaged(files.path, "its last page is incomplete") }
        return .passphrase(.wrong, files.path, ", or the first page is damaged, or the file is not a database")
    }
}

extension PersistencyError {
    /// - Parameter more: The end of the message.
    static func passphrase(_ error: PassphraseError, _ path: String, _ more: String = "") -> PersistencyError {
        .failed("\(path): \(error)\(more)", cause: error)
    }

    static func damaged(_ path: String, _ how: String, cause: (any Error)? = nil) -> PersistencyError {
        .failed("\(path) is damaged: \(how); the file was not changed, use a copy", cause: cause)
    }
}
