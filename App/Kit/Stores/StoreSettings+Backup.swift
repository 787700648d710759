public import LarderData
public import LarderInfrastructure

extension StoreSettings {
    /// Backs up the store.
    ///
    /// - Throws: `CommandFailure` for a store that does not exist or is in memory; `PersistencyError` as for opening and
    ///   as `Backup.write`.
    public func backUp(
        _ schemas: SchemaSet, to path: String, replacing: Bool, progress: BackupProgress? = nil
    ) async throws -> Backup {
        try checkDurable()
        guard location.missingPath == nil else {
            throw CommandFailure(
                .notFound, "no store exists at \(location)", advice: "Check --store or \(Setting.store.variable).")
        }
        var settings = self
        (settings.isReadOnly, settings.purpose) = (true, "backing up")
        let store = try await settings.openBase(stored(schemas))
        do {
            let backup = try await Backup.write(store, to: path, replacing: replacing, progress: progress)
            await store.close()
            return backup
        } catch {
            await store.close()
            throw error
        }
    }

    /// Creates the store from a backup.
    ///
    /// - Throws: `CommandFailure` for a store that exists and is not replaced, or is in memory; `PersistencyError` as
    ///   `restore` of the store.
    public func restore(
        _ path: String, _ schemas: SchemaSet, replacing: Bool, progress: BackupProgress? = nil
    ) async throws -> Backup {
        try checkDurable()
        if !replacing, try await !isNew(schemas) {
            throw CommandFailure(
                .conflict, "\(location) exists already", advice: "Choose another --store, or replace it with --replace."
            )
        }
        let schemas = try stored(schemas)
        switch location {
        case .file(let folder):
            return try await FileStore.restore(
                path, toFolder: folder, schemas: schemas, replacing: replacing, sealing: secrets.sealing,
                progress: progress)
        case .sqlite(let database):
            return try await SQLiteStore.restore(
                path, to: database, schemas: schemas, replacing: replacing, passphrase: secrets.passphrase,
                progress: progress)
        case .postgres(let database):
            return try await database.restore(path, self, schemas, replacing: replacing, progress: progress)
        case .memory, .mirrored, .readOnly: throw CommandFailure(.usage)
        }
    }

    /// Whether the store does not exist.
    func isNew(_ schemas: SchemaSet) async throws -> Bool {
        if case .postgres = location {
            try await schemaStatus(schemas).history.isEmpty
        } else {
            location.missingPath != nil
        }
    }

    /// Refuses a store in memory, and a composed store.
    func checkDurable() throws(CommandFailure) {
        try checkSingle()
        guard location == .memory else { return }
        throw CommandFailure(
            .usage, "a store in memory ends with its command",
            advice: "Choose a store with --store sqlite:PATH, file:DIR, or postgres://….")
    }

    /// Refuses a composed store.
    func checkSingle() throws(CommandFailure) {
        switch location {
        case .mirrored(let first, _, _), .readOnly(let first):
            throw CommandFailure(
                .usage, "\(location) is composed, and the command is for one store",
                advice: "Name a member, such as --store \(first.members[0]).")
        case .sqlite, .file, .postgres, .memory: return
        }
    }
}
