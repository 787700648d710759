public import LarderData
public import LarderInfrastructure

extension StoreSettings {
    /// Writes the log of a store anew, without what was changed or deleted since.
    ///
    /// - Returns: The bytes of the log before and after.
    /// - Throws: `CommandFailure` for a store without a log of its own, with what to do instead; `PersistencyError` as opening
    ///   does, and `full` where there is no room for both logs.
    public func compact(_ schemas: SchemaSet) async throws -> (before: Int, after: Int) {
        let folder = try logFolder(
            elsewhere: "SQLite uses the room of what was deleted again; 'sqlite3 PATH VACUUM' gives it back.")
        let before = try LogInspector.size(inFolder: folder)
        let configuration = FileStore.Configuration(
            folder, busyTimeout: busyTimeout, purpose: "compacting", onRecovery: report)
        let store = try await FileStore.open(configuration, schemas: schemas)
        do {
            try await store.compact()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return (before, try LogInspector.size(inFolder: folder))
    }

    /// The log of a store, to be read whether somebody has it open or not.
    ///
    /// - Throws: `CommandFailure` for a store without a log of its own; `PersistencyError` where none can be read.
    public func log(_ schemas: SchemaSet) throws -> LogInspector {
        let folder = try logFolder(elsewhere: "The database of sqlite: is read with 'sqlite3 PATH'.")
        return try LogInspector(folder: folder, schemas: schemas)
    }

    private func logFolder(elsewhere: String) throws(CommandFailure) -> String {
        guard case .file(let folder) = location else {
            throw CommandFailure(
                .usage, "\(location) has no log of its own",
                advice: (location == .memory ? "" : elsewhere + " ") + "Name a log with --store file:DIR.")
        }
        guard location.missingPath == nil else {
            throw CommandFailure(.notFound, "there is no store at \(folder)", advice: "Check the path.")
        }
        return folder
    }
}
