#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Faults of the server that a store reports as typed errors.
@Suite(.postgres)
struct PostgresErrorTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    @Test func `a database that is not in UTF-8 is refused`() async throws {
        try await Scratch.run("DROP DATABASE IF EXISTS latin")
        try await Scratch.run(
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
        let connection = try await TestServer.shared.value.connection(database: "latin")
        let error = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(.init(connection), schemas: Self.schemas.get())
        }
        guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
        #expect(reason.contains("LATIN1") && reason.contains("UTF8"))
        try await Scratch.run("DROP DATABASE latin WITH (FORCE)")
    }

    @Test func `too many connections are busy, and the store works again when there are fewer`() async throws {
        await Scratch.drop("crowded")
        try await Scratch.run(
            "DROP ROLE IF EXISTS crowd", "CREATE ROLE crowd LOGIN CONNECTION LIMIT 1",
            "CREATE SCHEMA crowded AUTHORIZATION crowd")
        let connection = try await TestServer.shared.value.connection(user: "crowd")
        let first = try await PostgresStore.open(
            .init(connection, schema: "crowded", connections: 1), schemas: Self.schemas.get())
        let trouble = await Failure.unavailable {
            _ = try await PostgresStore.open(.init(connection, schema: "crowded"), schemas: Self.schemas.get())
        }
        #expect(trouble?.reason == .busy && trouble?.message.contains("connections") == true)
        await first.close()
        // The server notices the end of a connection later.
        var second: PostgresStore?
        for _ in 0..<100 where second == nil {
            second = try? await PostgresStore.open(
                .init(connection, schema: "crowded", connections: 1), schemas: Self.schemas.get())
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(second != nil)
        await second?.close()
        await Scratch.drop("crowded")
    }

    @Test func `a lock of another program, and a statement that takes too long, are busy after the time limit`()
        async throws
    {
        let name = "limits"
        var configuration = try await Scratch.configuration(name)
        (configuration.busyTimeout, configuration.statementTimeout) = (.milliseconds(100), .milliseconds(300))
        try await Scratch.run("CREATE SCHEMA \(name)")
        let store = try await PostgresStore.open(configuration, schemas: Self.schemas.get())
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        let other = try await Scratch.configuration(name)
        let update = RootUpdate(note.key, expected: 1, changes: ObjectChanges())
        try await PostgresConnectionTests.withConnection(other) { connection in
            _ = try connection.execute("BEGIN; SELECT * FROM note FOR UPDATE")
        } during: {
            let trouble = await Failure.unavailable { _ = try await store.commit(ChangeSet(updates: [update])) }
            #expect(trouble?.reason == .busy && trouble?.message.contains("lock") == true)
        }
        _ = try await store.commit(ChangeSet(updates: [update]))
        let slow = await Failure.unavailable {
            try await store.pool.run { connection, _ throws(PersistencyError) in
                _ = try connection.execute("SELECT pg_sleep(5)")
            }
        }
        #expect(slow?.reason == .busy && slow?.message.contains("time limit") == true)
        await store.close()
        await Scratch.drop(name)
    }

    @Test func `tables that another program has dropped are an error of the operation, and not of the process`()
        async throws
    {
        let name = "dropped"
        let store = try await Scratch.open(Self.schemas.get(), name)
        let stream = await store.changes()
        try await Scratch.run("DROP TABLE \(name).note")
        _ = await Failure.unavailable { _ = try await store.read(ReadRequest(Sample.note)) }
        _ = await Failure.unavailable { _ = try await store.commit(ChangeSet(inserts: [Sample.note("a")])) }
        await Scratch.drop(name)
        _ = await Failure.unavailable { _ = try await store.commit(ChangeSet()) }
        await store.close()
        #expect(await stream.reduce(into: 0) { count, _ in count += 1 } == 0)
    }
}
#endif
