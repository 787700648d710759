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
        try await run(
            "CREATE SCHEMA \"\(other)\"",
            """
            DO $$
            DECLARE item record;
            BEGIN
                FOR item IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '"\(name)"'::regnamespace LOOP
                    EXECUTE format('CREATE TABLE "\(other)".%1$I (LIKE "\(name)".%1$I INCLUDING ALL)', item.relname);
                    EXECUTE format('INSERT INTO "\(other)".%1$I SELECT * FROM "\(name)".%1$I', item.relname);
                END LOOP;
                FOR item IN SELECT conname, conrelid::regclass::text AS holder, c.relname,
                    replace(pg_get_constraintdef(k.oid), '"\(name)".', '"\(other)".') AS definition
                    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
                    WHERE contype = 'f' AND connamespace = '"\(name)"'::regnamespace LOOP
                    EXECUTE format('ALTER TABLE "\(other)".%I ADD CONSTRAINT %I %s', item.relname, item.conname, item.definition);
                END LOOP;
            END $$
            """)
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
