internal import CLarderSQLite
internal import LarderDomain

extension SQLiteOpening {
    /// Rejects a log, or a rollback journal, that was not written for the file: SQLite would apply it. Neither SQLite nor
    /// this check changes a file meanwhile.
    ///
    /// A log without a mark, which only an earlier version or another program leaves, is accepted. The log of a sealed
    /// database is authenticated with the key of its file.
    ///
    /// - Throws: `unavailable` with the paths.
    func checkCompanions(_ files: SQLiteFiles) throws(PersistencyError) {
        // A process that writes may replace the log and the mark of the file between two reads, but not each time.
        let attempts = 3
        for attempt in 1...attempts {
            do throws(PersistencyError) {
                guard let foreign = try foreignCompanion(files) else { return }
                throw .foreign(foreign, files)
            } catch {
                if attempt == attempts { throw error }
            }
        }
    }

    private func foreignCompanion(_ files: SQLiteFiles) throws(PersistencyError) -> String? {
        guard files.hasLog || files.hasJournal else { return nil }
        let file = try connect(files.immutableName, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        if files.hasJournal {
            // With a log, a database has no rollback journal. SQLite ignores a journal whose first byte is 0.
            let header = try file.storedBytes(20, at: 0)
            let isPlain = header.starts(with: "SQLite format 3\0".utf8)
            let journal = try POSIXFile(reading: files.journalPath).read(1, at: 0)
            if isPlain, header[18...].elementsEqual([2, 2]), journal.first != 0 { return files.journalPath }
        }
        guard files.hasLog, let log = try SQLiteLogFile(files.logPath) else { return nil }
        var isForeign = false
        try log.forEachMark { page, mark throws(PersistencyError) in
            let stored = try file.storedBytes(log.pageSize, at: (page - 1) * log.pageSize)
            isForeign = !mark.follows(SQLiteFileMark(page: stored))
            return isForeign
        }
        return isForeign ? files.logPath : nil
    }
}

extension SQLiteConnection {
    /// Bytes of the database file, without the log; zeros after its end.
    ///
    /// The file is read through SQLite: closing another descriptor of it would release SQLite's locks.
    fileprivate func storedBytes(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var file: UnsafeMutablePointer<sqlite3_file>?
        var code = unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_FILE_POINTER, &file)
        if code == SQLITE_OK, let file = unsafe file, let read = unsafe file.pointee.pMethods?.pointee.xRead {
            code = unsafe read(file, &bytes, Int32(count), Int64(offset))
        }
        // The rest is filled with zeros.
        if code == SQLITE_IOERR | 2 << 8 { return bytes }
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, message: "the database file cannot be read").persistencyError
        }
        return bytes
    }
}

extension PersistencyError {
    fileprivate static func foreign(_ companion: String, _ files: SQLiteFiles) -> PersistencyError {
        .failed(
            "\(companion) was not written for \(files.path), but for another database, or for an older or newer copy "
                + "of this one. No file was changed. Put the database to which it belongs in its place; or, to open "
                + "\(files.path) without it, move it away, together with \(files.path)-shm")
    }
}
