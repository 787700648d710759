public import LarderData
public import LarderInfrastructure

extension StoreSettings {
    /// Rewrites the log of a store without superseded and deleted data.
    ///
    /// - Returns: The size of the log in bytes before and after.
    /// - Throws: `CommandFailure` for a store without a log, with the alternative; `PersistencyError` as for opening,
    ///   and `full` if there is not enough space for both logs.
    public func compact(_ schemas: SchemaSet) async throws -> (before: Int, after: Int) {
        let folder = try logFolder(
            elsewhere: [
                "sqlite": "SQLite reuses the space of deleted rows; 'sqlite3 PATH VACUUM' releases it. ",
                "postgres": "PostgreSQL reuses the space of deleted rows by itself. ",
            ])
        let before = try LogInspector.size(inFolder: folder)
        let configuration = FileStore.Configuration(
            folder, busyTimeout: busyTimeout, purpose: "compacting", onRecovery: report, journal: journal,
            migration: migration, sealing: secrets.sealing)
        let store = try await FileStore.open(configuration, schemas: stored(schemas))
        do {
            try await store.compact()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return (before, try LogInspector.size(inFolder: folder))
    }

    /// The log of a store, readable also while another process has the store open.
    ///
    /// - Throws: `CommandFailure` for a store without a log; `PersistencyError` when the log cannot be read.
    public func log() throws -> LogInspector {
        let folder = try logFolder(
            elsewhere: [
                "sqlite": "Read a sqlite: database with 'sqlite3 PATH'. ",
                "postgres": "Read a PostgreSQL database with 'psql'. ",
            ])
        return try LogInspector(folder: folder, sealing: secrets.sealing)
    }

    /// - Parameter elsewhere: The advice for other kinds of stores.
    private func logFolder(elsewhere: [String: String]) throws(CommandFailure) -> String {
        try checkSingle()
        guard case .file(let folder) = location else {
            throw CommandFailure(
                .usage, "\(location) has no log",
                advice: elsewhere[location.kind, default: ""] + "Choose a file store with --store file:DIR.")
        }
        guard location.missingPath == nil else {
            throw CommandFailure(.notFound, "no store exists at \(folder)", advice: "Check the path.")
        }
        return folder
    }
}
