internal import CLarderSQLite
public import LarderData
public import LarderDomain

extension SQLiteStore {
    /// Creates a database from a backup, as the store was at its last commit, and leaves it closed. Opening it migrates
    /// older schemas, with the options of that call.
    ///
    /// The backup is read and checked completely before anything is written; then it is read again into a new file,
    /// which is renamed when uniqueness and references were checked. A failed or interrupted restore leaves an existing
    /// database as it was, except that its log was checkpointed. Other processes that read the replaced database continue
    /// to read the old one, until they open it again. Tokens of the store that was backed up are not valid for the new one.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup.
    ///   - path: The path of the new database.
    ///   - schemas: The schemas of the program that will open the database.
    ///   - replacing: Whether an existing database is replaced. It need not be readable, if it has no log.
    ///   - passphrase: The passphrase of the new database, and of an existing one that has a log.
    ///   - progress: Receives the number of roots; called on a thread of the store.
    /// - Throws: The errors of ``Backup/verify(_:progress:)``; `duplicate`, or `incompatible` for a reference without a target,
    ///   in a backup that no store has written; `incompatible` for schemas that this program could not open;
    ///   `alreadyOpen`; `unavailable` if the file exists and must not be replaced, or cannot be written.
    /// - Complexity: O(*n* log *n*) time, with one record of the backup in memory.
    @discardableResult
    public static func restore(
        _ backup: String, to path: String, schemas: SchemaSet, replacing: Bool = false, passphrase: Passphrase? = nil,
        progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> Backup {
        try SQLiteLibrary.checkSupport(of: passphrase, .file(path))
        return try await StoreThread(label: "store.sqlite.restore").run { () throws(PersistencyError) in
            var checked = try BackupReader(backup)
            _ = try SchemaPlanner.plan(schemas, over: checked.head.record)
            _ = try SQLPlan(schemas)
            try POSIXFileSystem().checkTarget(SQLiteFiles(path).path, replacing: replacing)
            let description = try checked.forEach()
            let opening = SQLiteOpening(
                configuration: Configuration(
                    .file(path), busyTimeout: .zero, purpose: "restoring a backup", passphrase: passphrase),
                plan: try SQLPlan(checked.head.schemas))
            let files = try SQLiteFiles(path, makingFolder: true)
            let lock = try opening.lock(files)
            try withExtendedLifetime(lock) { () throws(PersistencyError) in
                try POSIXFileSystem().checkTarget(files.path, replacing: replacing)
                try opening.emptyLog(files)
                var reader = try BackupReader(backup)
                try files.create(replacing: replacing) { path throws(PersistencyError) in
                    try opening.make(path) { connection throws(PersistencyError) in
                        let restored = try connection.restore(&reader, opening.plan, progress)
                        // The file was changed in between.
                        guard restored == description else {
                            throw .incompatible("\(backup) has changed in the meantime")
                        }
                    }
                }
            }
            return description
        }
    }
}

extension SQLiteConnection {
    /// Fills an empty database in one transaction, and checks it.
    fileprivate func restore(
        _ reader: inout BackupReader, _ plan: SQLPlan, _ progress: BackupProgress?
    ) throws(PersistencyError) -> Backup {
        // References may precede their targets.
        try execute("PRAGMA foreign_keys = OFF")
        try beginWriting()
        try SQLiteSchemaRecord(connection: self).write(reader.head.record)
        let applier = SQLiteChangeApplier(connection: self, plan: plan)
        let backup = try reader.forEach(progress) { roots throws(PersistencyError) in
            var changes = ChangeSet(inserts: roots)
            changes.keepsVersions = true
            try applier.apply(changes)
        }
        try checkReferences()
        try commit()
        return backup
    }
}

extension SQLiteOpening {
    /// Transfers the log of an existing database to its file, because it must not be used with another file.
    func emptyLog(_ files: SQLiteFiles) throws(PersistencyError) {
        guard files.hasLog || files.hasJournal else { return }
        do throws(PersistencyError) {
            if files.exists {
                try files.checkNames()
                try checkCompanions(files)
            }
            let connection = try connect(files.path, SQLITE_OPEN_READWRITE)
            _ = try connection.integer("SELECT count(*) FROM sqlite_master")
            try connection.checkpoint(.truncate)
        } catch {
            throw .unmerged(files, "\(error)")
        }
        if files.hasLog || files.hasJournal { throw .unmerged(files, "another process reads it") }
    }
}

extension PersistencyError {
    fileprivate static func unmerged(_ files: SQLiteFiles, _ reason: String) -> PersistencyError {
        .failed(
            "the log of \(files.path) cannot be transferred to it (\(reason)): move the file away, together with "
                + "its -wal, -shm and -journal, and repeat the command")
    }
}

extension SQLiteStore: SnapshotStore {
    package nonisolated var isSealed: Bool { configuration.passphrase != nil }

    /// Attempts to back up page by page, before one transaction reads everything.
    private static let attempts = 3

    package nonisolated func withSnapshot<Result: Sendable>(
        _ progress: BackupProgress?, _ body: @Sendable (StoreSnapshot) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let spool = try await spool(progress)
        return try await StoreThread(label: "store.sqlite.backup").run { () throws(PersistencyError) in
            try body(spool.snapshot)
        }
    }

    private nonisolated func spool(_ progress: BackupProgress?) async throws(PersistencyError) -> SQLiteSpool {
        for _ in 0..<Self.attempts {
            var spool = try await scan(isShort: true) { connection throws(PersistencyError) in
                try SQLiteSpool(connection, plan)
            }
            guard spool.hasJournal else { break }
            while !spool.isFinished {
                spool = try await scan(isShort: true) { [spool] connection throws(PersistencyError) in
                    try spool.next(connection)
                }
                progress?(spool.count)
            }
            if spool.isComplete { return spool }
        }
        return try await scan(isShort: false) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).snapshot(isOne: false) { () throws(PersistencyError) in
                var spool = try SQLiteSpool(connection, plan)
                while !spool.isFinished {
                    spool = try spool.next(connection)
                    progress?(spool.count)
                }
                return spool
            }
        }
    }
}
