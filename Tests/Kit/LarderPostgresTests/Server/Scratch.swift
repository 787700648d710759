#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import LarderStoreContract

/// PostgreSQL schemas for tests.
enum Scratch {
    /// Runs statements as the owner of the test server.
    static func run(_ statements: String...) async throws {
        let connection = try await PlainConnection(.init(try await TestServer.shared.value.connection()))
        for statement in statements { try await connection.run(statement) }
    }

    /// Opens a store in a schema of this name, which is created.
    static func open(_ schemas: SchemaSet, _ name: String, connections: Int = 8) async throws -> PostgresStore {
        try await run("CREATE SCHEMA IF NOT EXISTS \"\(name)\"")
        return try await PostgresStore.open(try await configuration(name, connections: connections), schemas: schemas)
    }

    static func configuration(_ name: String, connections: Int = 8) async throws -> PostgresStore.Configuration {
        PostgresStore.Configuration(
            try await TestServer.shared.value.connection(), schema: name, connections: connections)
    }

    /// A connection outside of any store, to the tables of a schema.
    static func connection(_ name: String) async throws -> PlainConnection {
        try await PlainConnection(configuration(name))
    }

    static func drop(_ name: String) async { try? await run("DROP SCHEMA IF EXISTS \"\(name)\" CASCADE") }

    /// Copies all tables of a schema to another one.
    static func copy(_ name: String, to other: String) async throws {
        try await run(PostgresScratchCopy.statements(from: name, to: other))
    }
}

/// A connection outside of any store, which may hold locks.
struct PlainConnection: Sendable {
    /// The transactions that wait for a lock of the connection.
    static let blocked = "SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    let connection: PostgresConnection

    init(_ configuration: PostgresStore.Configuration) async throws {
        connection = try await Task.detached { try PostgresConnection(configuration) }.value
        // It may wait for a slow test.
        try await run("SET idle_in_transaction_session_timeout TO 0")
    }

    func run(_ statements: String...) async throws {
        try await Task.detached { for statement in statements { try connection.execute(statement) } }.value
    }

    /// The number of rows of a query.
    func count(_ query: String) async throws -> Int {
        try await Task.detached { try connection.execute(query).count }.value
    }

    /// Waits until a query returns a row.
    func wait(until query: String) async throws {
        while try await count(query) == 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension StoreFixture {
    static let postgres = StoreFixture("postgres") { schemas, scratch in
        try await Scratch.open(schemas, scratch)
    } copy: { scratch, other in
        try await Scratch.copy(scratch, to: other)
    } discard: { scratch in
        await Scratch.drop(scratch)
    }
}
#endif
