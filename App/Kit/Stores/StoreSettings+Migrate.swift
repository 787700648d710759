public import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension StoreSettings {
    /// The recorded schema of the store and the pending changes. Another process may have the store open.
    ///
    /// - Throws: `CommandFailure` for a store that does not exist or is in memory; `PersistencyError` if the changes
    ///   cannot be planned.
    public func schemaStatus(_ schemas: SchemaSet) async throws -> SchemaStatus {
        try checkSingle()
        guard location.missingPath == nil else {
            throw CommandFailure(
                .notFound, "no store exists at \(location)", advice: "Check --store or \(Setting.store.variable).")
        }
        do {
            let schemas = try stored(schemas)
            switch location {
            case .memory, .mirrored, .readOnly:
                throw CommandFailure(
                    .usage, "a store in memory is always new, and needs no migration",
                    advice: "Choose a store with --store sqlite:PATH, file:DIR, or postgres://….")
            case .sqlite(let path):
                return try SQLiteStore.schemaStatus(path: path, schemas: schemas, passphrase: secrets.passphrase)
            case .file(let folder):
                return try FileStore.schemaStatus(inFolder: folder, schemas: schemas, sealing: secrets.sealing)
            case .postgres(let database): return try await database.schemaStatus(self, schemas)
            }
        } catch PersistencyError.incompatible(let why) {
            throw PersistencyError.incompatible("\(location): \(why)")
        }
    }

    /// Applies all pending changes of the schemas.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the program.
    ///   - copies: Whether a change that is not additive is preceded by a copy next to the store.
    ///   - progress: Called on the store's thread.
    /// - Throws: `PersistencyError` as for opening; the store is unchanged then.
    public func migrate(
        _ schemas: SchemaSet, copies: Bool, progress: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws {
        var settings = self
        (settings.isReadOnly, settings.purpose) = (false, "migrating")
        settings.migration = MigrationOptions(mode: .all, copies: copies, progress: progress)
        try await settings.open(schemas).close()
    }

    /// The path of the copy that a migration from a version makes; `nil` for a store of which it makes none.
    public func copyPath(ofVersion version: Int) -> String? {
        switch location {
        case .memory, .postgres, .mirrored, .readOnly: nil
        case .sqlite(let path): "\(path).version-\(version)"
        case .file(let folder): "\(folder)/larder.version-\(version)"
        }
    }
}
