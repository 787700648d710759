#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import LarderStoreContract

/// PostgreSQL schemas for tests.
enum Scratch {
    /// Runs statements as the owner of the test server.
    static func run(_ statements: String...) async throws {
        let configuration = PostgresStore.Configuration(try await TestServer.shared.value.connection())
        try await Task.detached {
            let connection = try PostgresConnection(configuration)
            for statement in statements { try connection.execute(statement) }
        }.value
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
        let configuration = try await configuration(name)
        return PlainConnection(try await Task.detached { try PostgresConnection(configuration) }.value)
    }

    static func drop(_ name: String) async { try? await run("DROP SCHEMA IF EXISTS \"\(name)\" CASCADE") }

    /// Copies all tables of a schema to another one.
    static func copy(_ name: String, to other: String) async throws {
        try await run(PostgresScratchCopy.statements(from: name, to: other))
    }
}

/// A connection outside of any store, which may hold locks.
struct PlainConnection: Sendable {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func run(_ statements: String...) async throws {
        try await Task.detached { for statement in statements { try connection.execute(statement) } }.value
    }

    /// Waits until a query returns a row.
    func wait(until query: String) async throws {
        while try await Task.detached(operation: { try connection.execute(query).count }).value == 0 {
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
