#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// What opening changes, and the settings of a role that it respects.
@Suite(.postgres)
struct PostgresAccessTests {
    private static let relations = "SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace"

    @Test func `a store that is opened for reading creates and changes nothing`() async throws {
        let name = "read_only"
        await Scratch.drop(name)
        try await Scratch.run("CREATE SCHEMA \(name)")
        let connection = try await Scratch.connection(name)
        var configuration = try await Scratch.configuration(name)
        configuration.access = .readOnly
        let schemas = try SchemaSet([Sample.note])
        let missing = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(configuration, schemas: schemas)
        }
        guard case .incompatible(let reason)? = missing else { Issue.record("\(missing as Any)"); return }
        #expect(reason.contains("contains no store"))
        #expect(try await connection.count(Self.relations) == 0)
        let writer = try await Scratch.open(schemas, name)
        let note = Sample.note("a")
        _ = try await writer.commit(ChangeSet(inserts: [note]))
        let count = try await connection.count(Self.relations)
        let reader = try await PostgresStore.open(configuration, schemas: schemas)
        #expect(try await reader.read(note.id, of: Sample.note) == note)
        let refusal = await Failure.unavailable { _ = try await reader.commit(ChangeSet(inserts: [Sample.note("b")])) }
        #expect(refusal?.reason == .readOnly)
        _ = try await reader.commit(ChangeSet())
        await reader.close()
        let further = try SchemaSet([Sample.note, Sample.tag])
        let pending = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(configuration, schemas: further)
        }
        #expect("\(pending as Any)".contains("add tag"))
        let status = try await PostgresStore.schemaStatus(configuration, schemas: further)
        #expect(status.changes == ["add tag"])
        #expect(try await connection.count(Self.relations) == count)
        // A missing index changes no answer.
        let indexed = EntitySchema(
            name: "note", columns: Sample.note.columns, uniques: Sample.note.uniques, indexes: [[0], [1]])
        await (try PostgresStore.open(configuration, schemas: SchemaSet([indexed]))).close()
        #expect(try await connection.count(Self.relations) == count)
        await writer.close()
        await Scratch.drop(name)
    }

    @Test func `the search path and the stricter time limits of a role remain`() async throws {
        try? await Scratch.run("DROP SCHEMA IF EXISTS kitchen CASCADE", "DROP OWNED BY hurried")
        try await Scratch.run(
            "CREATE SCHEMA kitchen", "DROP ROLE IF EXISTS hurried", "CREATE ROLE hurried LOGIN",
            "GRANT ALL ON SCHEMA kitchen TO hurried", "ALTER ROLE hurried SET search_path TO kitchen, public",
            "ALTER ROLE hurried SET statement_timeout TO '2s'", "ALTER ROLE hurried SET lock_timeout TO '10min'")
        let server = try await TestServer.shared.value
        var configuration = PostgresStore.Configuration(server.connection(user: "hurried"))
        func settings(_ configuration: PostgresStore.Configuration) async throws -> [String] {
            let store = try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note]))
            let settings = try await store.pool.run { connection, _ throws(PersistencyError) in
                let row = try connection.execute(
                    """
                    SELECT current_setting('search_path'), current_setting('statement_timeout'),
                        current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')
                    """)
                return row.advance() ? (0..<4).map(row.text) : []
            }
            await store.close()
            return settings
        }
        #expect(try await settings(configuration) == ["kitchen, public", "2s", "5s", "5s"])
        let kitchen = try await Scratch.connection("kitchen")
        #expect(try await kitchen.count("SELECT FROM pg_class WHERE oid = 'kitchen.larder_journal'::regclass") == 1)
        // A configured value overrides the role's.
        configuration.schema = "kitchen"
        configuration.statementTimeout = .seconds(1)
        #expect(try await settings(configuration) == ["kitchen", "1s", "5s", "1s"])
        try await Scratch.run("DROP SCHEMA kitchen CASCADE", "DROP ROLE hurried")
    }
}
#endif
