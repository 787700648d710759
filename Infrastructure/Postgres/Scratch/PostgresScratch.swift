#if Postgres
public import LarderData
public import LarderDomain
internal import LarderInfrastructure

/// Temporary stores in one database. Each has a PostgreSQL schema with a random prefix, `larder_check_…`.
///
/// The user needs the right to create schemas, and no other rights.
public final class PostgresScratch: Sendable {
    private let configuration: PostgresStore.Configuration
    let prefix: String
    private let lane: PostgresLane
    /// Has the lock of the process on its schemas, which the server releases when the process ends: in an open transaction,
    /// so that it also works behind a pool that shares sessions. Without a snapshot or a number, it holds up nothing.
    private let lock: PostgresConnection
    private static let key = "hashtextextended($1::text, 0)"

    private init(_ configuration: PostgresStore.Configuration) async throws(PersistencyError) {
        self.configuration = configuration
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        prefix = Self.start + String(repeating: "0", count: 16 - digits.count) + digits
        lane = PostgresLane(configuration, "scratch")
        lock = try await StoreThread(label: "store.postgres.scratch.lock").run { [prefix] () throws(PersistencyError) in
            let connection = try PostgresConnection(configuration)
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY")
            try connection.execute("SET LOCAL idle_in_transaction_session_timeout TO 0")
            try connection.run("SELECT pg_advisory_xact_lock(\(Self.key))", [.text(prefix)])
            return connection
        }
    }

    /// Runs a body with temporary stores, and drops them after it, also if it throws or the task is cancelled. Stores that
    /// killed processes have left in the database are dropped before.
    ///
    /// - Parameters:
    ///   - configuration: The database. The schema is ignored.
    ///   - body: Receives the place for stores.
    /// - Throws: The errors of the body; `unavailable` if the server cannot be reached, the user has no right to create
    ///   schemas, or the schemas cannot be dropped, for example because a store in one of them is in use.
    public static func with<Result>(
        _ configuration: PostgresStore.Configuration, _ body: (PostgresScratch) async throws -> Result
    ) async throws -> Result {
        let scratch = try await PostgresScratch(configuration)
        let result: Result
        do {
            try await scratch.prepare()
            result = try await body(scratch)
        } catch {
            try? await scratch.remove()
            throw error
        }
        try await scratch.remove()
        return result
    }

    /// Opens the store with a name; a new name opens an empty store.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the store.
    ///   - name: Letters, digits and hyphens, at most 32.
    public func open(_ schemas: SchemaSet, _ name: String) async throws(PersistencyError) -> PostgresStore {
        var configuration = configuration
        let schema = schema(name)
        configuration.schema = schema
        try await run("CREATE SCHEMA IF NOT EXISTS \(SQLText.quoted(schema))")
        return try await PostgresStore.open(configuration, schemas: schemas)
    }

    /// Copies all data under one name to another, which must not exist.
    public func copy(_ name: String, to other: String) async throws(PersistencyError) {
        try await run(PostgresScratchCopy.statements(from: schema(name), to: schema(other)))
    }

    /// Drops the store with a name, which must be closed.
    public func discard(_ name: String) async throws(PersistencyError) {
        try await run("DROP SCHEMA IF EXISTS \(SQLText.quoted(schema(name))) CASCADE")
    }

    private func schema(_ name: String) -> String { PostgresDialect().short("\(prefix)_\(name)") }

    private func run(_ text: String) async throws(PersistencyError) {
        try await lane.run { connection, _ throws(PersistencyError) in _ = try connection.execute(text) }
    }
}

extension PostgresScratch {
    static let start = "larder_check_"

    /// Checks the rights of the user, and drops what killed processes have left.
    private func prepare() async throws(PersistencyError) {
        try await lane.run { connection, _ throws(PersistencyError) in
            let rights = try connection.run(
                "SELECT has_database_privilege(current_database(), 'CREATE'), quote_ident(current_database()), "
                    + "quote_ident(current_user)")
            guard rights.advance(), rights.integer(0) == 1 else {
                throw .malformed(
                    "temporary stores need the right to create schemas in the database: "
                        + "GRANT CREATE ON DATABASE \(rights.text(1)) TO \(rights.text(2))")
            }
            for name in try Self.schemas(Self.start, connection) {
                let prefix = String(name.prefix(Self.start.utf8.count + 16))
                try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                let isFree = try connection.run("SELECT pg_try_advisory_xact_lock(\(Self.key))", [.text(prefix)])
                // One that is in use is dropped later.
                if isFree.isTrue { try? Self.drop(name, connection) }
                try connection.execute("COMMIT")
            }
        }
    }

    /// Not interrupted by a cancellation.
    private func remove() async throws(PersistencyError) {
        try await Task {
            await Result { () async throws(PersistencyError) in
                try await lane.run { [prefix, lock] connection, _ throws(PersistencyError) in
                    for name in try Self.schemas(prefix, connection) { try Self.drop(name, connection) }
                    _ = try? lock.execute("ROLLBACK")
                }
                await lane.close()
            }
        }.value.get()
    }

    /// The schemas of the user with names that start with a text.
    private static func schemas(
        _ start: String, _ connection: PostgresConnection
    ) throws(PersistencyError) -> [String] {
        try connection.run(
            "SELECT nspname::text FROM pg_catalog.pg_namespace WHERE starts_with(nspname::text, $1::text) "
                + "AND nspname ~ '^\(Self.start)[0-9a-f]{16}(_|$)' AND pg_has_role(nspowner, 'USAGE')", [.text(start)]
        ).map { $0.text(0) }
    }

    private static func drop(_ name: String, _ connection: PostgresConnection) throws(PersistencyError) {
        try connection.execute("DROP SCHEMA IF EXISTS \(SQLText.quoted(name)) CASCADE")
    }
}
#endif
