public import LarderData
public import LarderDomain

extension FileStore {
    /// Creates a store from a backup, as it was at its last commit, and leaves it closed. Opening it migrates older
    /// schemas, with the options of that call.
    ///
    /// The backup is read and checked completely before anything is written. A failed or interrupted restore leaves the
    /// folder as it was, except for a lock file or a marker of a clean close. Tokens of the store that was backed up are
    /// not valid for the new one.
    ///
    /// - Parameters:
    ///   - path: The backup.
    ///   - folder: The folder of the new store.
    ///   - schemas: The schemas of the program that will open the store.
    ///   - replacing: Whether an existing log is replaced. It need not be readable.
    ///   - sealing: The passphrase of the new log; `nil` for a plain one, which does not replace a sealed one.
    ///   - progress: Receives the number of roots; called on a thread of the store.
    /// - Throws: The errors of ``Backup/verify(_:progress:)``; `incompatible` for schemas that this program could not open;
    ///   `alreadyOpen`; `unavailable` if the folder has a log that must not be replaced, or cannot be written.
    /// - Complexity: O(*n*) time and memory.
    @discardableResult
    public static func restore(
        _ path: String, toFolder folder: String, schemas: SchemaSet, replacing: Bool = false,
        sealing: Sealing? = nil, progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> Backup {
        try await StoreThread(label: "store.file.restore").run { () throws(PersistencyError) in
            try LogPlace(folder, POSIXFileSystem()).restore(
                BackupReader(path), for: schemas, replacing: replacing, salt: .random(in: .min ... .max), sealing,
                progress)
        }
    }
}

extension LogPlace {
    func restore(
        _ backup: BackupReader, for schemas: SchemaSet, replacing: Bool, salt: UInt64,
        _ sealing: FileStore.Sealing? = nil, _ progress: BackupProgress? = nil
    ) throws(PersistencyError) -> Backup {
        var backup = backup
        _ = try SchemaPlanner.plan(schemas, over: backup.head.record)
        func checkTarget() throws(PersistencyError) {
            try fileSystem.checkTarget(log, replacing: replacing)
            guard sealing == nil, try fileSystem.status(log) != nil else { return }
            var reader = try LogReader(fileSystem.open(log))
            if let head = try reader.record(at: 0)?.content, LogSeal.begins(head) { throw .passphrase(.missing, log) }
        }
        try checkTarget()
        let (state, description) = try backup.state(progress)
        try fileSystem.makeFolders(folder)
        let lock = try fileSystem.lock(self.lock, purpose: "restoring a backup")
        try withExtendedLifetime(lock) { () throws(PersistencyError) in
            try checkTarget()
            // With the marker of another log, the new one would look damaged. A log without a marker is complete, too.
            if try fileSystem.status(marker) != nil {
                try fileSystem.remove(marker)
                try fileSystem.syncFolder(folder)
            }
            let codec = LogCodec(state.schemas, history: backup.head.record.history)
            // A new lifetime: tokens of the old store name no commit of this one. Without one, opening would write the log
            // again.
            let seal = try sealing.map { sealing throws(PersistencyError) in try LogSeal(sealing) }
            let journal = LogJournal(RetainedCommits(JournalBounds()))
            var (log, _) = try codec.write(state, journal, to: self, salt: salt, seal: seal)
            log.close(after: state.sequence)
        }
        return description
    }
}

extension FileStore: SnapshotStore {
    package nonisolated var isSealed: Bool { writer.isSealed }

    package nonisolated func withSnapshot<Result: Sendable>(
        _ progress: BackupProgress?, _ body: @Sendable (StoreSnapshot) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let engine = try await thread.run { () throws(PersistencyError) in try writer.withEngine { $0 } }
        // Neither commits nor scans wait for this thread.
        return try await StoreThread(label: "store.file.backup").run { () throws(PersistencyError) in
            try body(StoreSnapshot(engine.state, engine.codec, lifetime: engine.journal?.lifetime ?? 0))
        }
    }
}
