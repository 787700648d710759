public import LarderData
internal import LarderDecorators
internal import LarderDomain
internal import LarderInfrastructure
internal import Logging

extension StoreSettings {
    /// Opens the store with the schemas; the caller closes it. If a column is sealed, it is a sealed store.
    ///
    /// - Throws: `PersistencyError`: `alreadyOpen` after the busy timeout, `incompatible` or `unavailable`. `CommandFailure`
    ///   if the keys of sealed columns are not set.
    public func open(_ schemas: SchemaSet) async throws -> any Store {
        guard let root = schemas.roots.first(where: { $0.sealedColumn != nil }) else {
            return try await openBase(schemas)
        }
        guard let keys = secrets.keys else {
            throw CommandFailure(
                .configuration, "columns of \(root.name) are sealed, and no key is set",
                advice: "Set \(Setting.sealingKeyFile.variable) to a file with keys.")
        }
        return try await SealedStore.open(schemas, keys: keys) { try await openBase($0) }
    }

    /// The schemas of the store that contains the sealed values.
    func stored(_ schemas: SchemaSet) throws(PersistencyError) -> SchemaSet {
        schemas.roots.contains { $0.sealedColumn != nil } ? try schemas.sealedForm(secrets.keys) : schemas
    }

    /// Opens the store that contains the sealed values.
    ///
    /// - Parameter schemas: The stored schemas, see `stored`.
    func openBase(_ schemas: SchemaSet) async throws -> any Store {
        do {
            await reportMigration(to: schemas)
            switch location {
            case .memory: return MemoryStore(schemas, journal: journal)
            case .sqlite(let path):
                let access: SQLiteStore.Access =
                    createsNothing ? .readOnly : isReadOnly ? .readOnlyAfterUpgrade : .readWrite
                let configuration = SQLiteStore.Configuration(
                    .file(path), access: access, durability: durability, busyTimeout: busyTimeout, purpose: purpose,
                    onRecovery: report, journal: journal, migration: migration, passphrase: secrets.passphrase,
                    onBlockedLog: reportBlockage)
                return try await SQLiteStore.open(configuration, schemas: schemas)
            case .file(let folder):
                var configuration = FileStore.Configuration(
                    folder, busyTimeout: busyTimeout, purpose: purpose, onRecovery: report, journal: journal,
                    migration: migration, sealing: secrets.sealing)
                configuration.isReadOnly = createsNothing
                return try await FileStore.open(configuration, schemas: schemas)
            case .postgres(let database): return try await database.open(self, schemas)
            case .mirrored(let primary, let mirrors, let required):
                return try await openMirrored(primary, mirrors, required, schemas)
            case .readOnly(let base):
                var settings = at(base)
                (settings.isReadOnly, settings.createsNothing) = (true, true)
                return ReadOnlyStore(try await settings.openBase(schemas))
            }
        } catch PersistencyError.incompatible(let why) {
            // The message names the location: it is the default one, and not every reason names its file.
            throw PersistencyError.incompatible(location.members.count > 1 ? why : "\(location): \(why)")
        }
    }

    /// Logs the changes that a service is about to apply to its store.
    private func reportMigration(to schemas: SchemaSet) async {
        guard recoveryReport == .log, location != .memory, location.missingPath == nil,
            let status = try? await schemaStatus(schemas), !status.changes.isEmpty
        else { return }
        Logger.current.notice(
            "store migration",
            metadata: [
                "from": .stringConvertible(status.version), "to": .stringConvertible(schemas.evolution.version),
                "detail": "\(status.changes.joined(separator: "; "))",
            ])
    }

    /// Reports reads that keep a log from restarting.
    private var reportBlockage: @Sendable (LogBlockage) -> Void {
        switch recoveryReport {
        case .standardError:
            { [name = ServiceIdentity.current.name] in Terminal.warn("\($0)", title: name + ": ") }
        case .log:
            { blockage in
                let pids = blockage.processes.map(String.init).joined(separator: " ")
                Logger.current.warning(
                    "store log blocked",
                    metadata: ["detail": "\(blockage)", "bytes": .stringConvertible(blockage.bytes), "pids": "\(pids)"])
            }
        }
    }

    /// Reports the records that opening has dropped.
    var report: @Sendable (DroppedTail) -> Void {
        switch recoveryReport {
        case .standardError:
            { [name = ServiceIdentity.current.name] in
                Terminal.warn("recovered the store: \($0)", title: name + ": ")
            }
        case .log:
            { tail in
                Logger.current.warning(
                    "store recovered",
                    metadata: [
                        "detail": "\(tail)", "bytes": .stringConvertible(tail.size), "kept_in": "\(tail.copy)",
                    ])
            }
        }
    }
}
