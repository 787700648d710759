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

    static func drop(_ name: String) async { try? await run("DROP SCHEMA IF EXISTS \"\(name)\" CASCADE") }

    /// Copies all tables of a schema to another one.
    static func copy(_ name: String, to other: String) async throws {
        try await run(PostgresScratchCopy.statements(from: name, to: other))
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
