internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure
internal import LarderStoreContract

#if Postgres
internal import LarderPostgres

extension PostgresLocation {
    func open(_ settings: StoreSettings, _ schemas: SchemaSet) async throws(PersistencyError) -> any Store {
        try await PostgresStore.open(configuration(settings), schemas: schemas)
    }

    func schemaStatus(
        _ settings: StoreSettings, _ schemas: SchemaSet
    ) async throws(PersistencyError) -> SchemaStatus {
        try await PostgresStore.schemaStatus(configuration(settings), schemas: schemas)
    }

    func restore(
        _ path: String, _ settings: StoreSettings, _ schemas: SchemaSet, replacing: Bool, progress: BackupProgress?
    ) async throws(PersistencyError) -> Backup {
        try await PostgresStore.restore(
            path, to: configuration(settings), schemas: schemas, replacing: replacing, progress: progress)
    }

    /// Runs a body with temporary stores in the database, which are dropped afterwards.
    func withStores<Result>(
        _ settings: StoreSettings, _ body: (StoreFixture) async throws -> Result
    ) async throws -> Result {
        try await PostgresScratch.with(configuration(settings)) { scratch in
            try await body(
                StoreFixture("postgres") { schemas, name in
                    try await scratch.open(schemas, name)
                } copy: { name, other in
                    try await scratch.copy(name, to: other)
                } discard: { name in
                    // A store that is still open is dropped at the end.
                    try? await scratch.discard(name)
                })
        }
    }

    private func configuration(_ settings: StoreSettings) -> PostgresStore.Configuration {
        PostgresStore.Configuration(
            address.connection, connections: settings.connections, busyTimeout: settings.busyTimeout,
            journal: settings.journal ?? JournalBounds(), migration: settings.migration,
            replica: settings.replica?.address.connection, access: settings.isReadOnly ? .readOnly : .readWrite)
    }
}
#else
extension PostgresLocation {
    func open(_ settings: StoreSettings, _ schemas: SchemaSet) async throws -> any Store { switch self {} }

    func schemaStatus(_ settings: StoreSettings, _ schemas: SchemaSet) async throws -> SchemaStatus { switch self {} }

    func restore(
        _ path: String, _ settings: StoreSettings, _ schemas: SchemaSet, replacing: Bool, progress: BackupProgress?
    ) async throws -> Backup {
        switch self {}
    }

    func withStores<Result>(
        _ settings: StoreSettings, _ body: (StoreFixture) async throws -> Result
    ) async throws -> Result {
        switch self {}
    }
}
#endif
