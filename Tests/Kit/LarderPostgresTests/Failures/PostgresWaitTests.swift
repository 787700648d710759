#if Postgres
import Dispatch
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderPostgres
import Testing

/// Servers that do not answer. No caller waits without a limit. Each test has its own server.
@Suite(.postgres, .serialized)
struct PostgresWaitTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    private func open(
        _ server: TestServer, _ options: String = "", connections: Int = 1,
        statementTimeout: Duration = .milliseconds(100)
    ) async throws -> PostgresStore {
        try await PostgresStore.open(
            .init(
                server.connection() + " options='\(options)'", connections: connections,
                statementTimeout: statementTimeout),
            schemas: Self.schemas.get())
    }

    private func processID(of store: PostgresStore) async throws -> String {
        try await store.pool.run { connection, _ throws(PersistencyError) in
            let row = try connection.run("SELECT pg_backend_pid()::text")
            return row.advance() ? row.text(0) : ""
        }
    }

    @Test func `a server process that does not answer makes an operation unavailable, and the next one works`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server)
        let note = Sample.note("a")
        let process = try await processID(of: store)
        try await server.run("kill -STOP \(process)")
        let trouble = await Failure.unavailable {
            _ = try await store.commit(ChangeSet(inserts: [note]))
        }
        #expect(trouble?.reason == .unreachable && trouble?.message.contains("answer") == true)
        _ = try await store.commit(ChangeSet(inserts: [note]))
        try await server.run("kill -CONT \(process)")
        #expect(try await store.read(note.id, of: Sample.note) == note)
        await store.close()
    }

    @Test func `a cancelled read ends although the server does not receive the request`() async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server)
        let process = try await processID(of: store)
        let read = Task {
            try await store.pool.run(untilCancelled: true) { connection, _ throws(PersistencyError) in
                _ = try connection.execute("SET statement_timeout TO 0; SELECT pg_sleep(600)")
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        // The first process of the server accepts requests.
        try await server.run("kill -STOP \(process) $(head -1 '\(server.folder)/data/postmaster.pid')")
        read.cancel()
        await #expect(throws: PersistencyError.self) { try await read.value }
        try await server.run("kill -CONT \(process) $(head -1 '\(server.folder)/data/postmaster.pid')")
        _ = try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
        await store.close()
    }

    @Test func `a cancelled read is interrupted although its first connection was lost`() async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server, statementTimeout: .seconds(600))
        try await server.run("kill -TERM \(processID(of: store))")
        let (begun, running) = AsyncStream<Void>.makeStream()
        let read = Task {
            try await store.pool.run(untilCancelled: true) { connection, _ throws(PersistencyError) in
                try connection.execute("SELECT 1")
                // Only the second connection is here.
                running.finish()
                // The first request of the cancellation arrives between two statements.
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(300))
                try connection.execute("SELECT pg_sleep(500)")
            }
        }
        for await _ in begun {}
        read.cancel()
        let error = await #expect(throws: PersistencyError.self) { try await read.value }
        guard case .cancelled? = error else { Issue.record("\(error as Any)"); return }
        await store.close()
    }

    @Test func `a commit whose replica does not answer is in doubt after the time limit, and is not canceled`()
        async throws
    {
        let server = try await TestServer.start(
            "synchronous_commit = local\nsynchronous_standby_names = 'nobody'")
        defer { server.keepAlive() }
        let store = try await open(server, "-c synchronous_commit=local", statementTimeout: .seconds(60))
        let waiting = try await open(server, "-c synchronous_commit=on")
        let note = Sample.note("a")
        let changes = ChangeSet(inserts: [note])
        let process = try await processID(of: waiting)
        do {
            _ = try await waiting.commit(changes)
            Issue.record("the commit is acknowledged")
        } catch PersistencyError.inDoubt(let id, let cause) {
            #expect(id == changes.id && cause.message.contains("answer"))
        }
        // The server still waits, so the commit is not visible.
        #expect(try await store.read(note.id, of: Sample.note) == nil)
        let ended = try await store.pool.run { connection, _ throws(PersistencyError) in
            try connection.execute("SELECT pg_cancel_backend(\(process))").count
        }
        #expect(ended == 1)
        #expect(try await store.outcome(of: changes.id) == .stored)
        #expect(try await store.read(note.id, of: Sample.note) == note)
        await waiting.close()
        await store.close()
    }

    @Test func `a connection in a COPY, in a pipeline, or in a transaction is not used again`() async throws {
        let server = try await TestServer.shared.value
        let pool = PostgresPool(.init(server.connection(), connections: 1))
        let ruined: [@Sendable (PostgresConnection) throws(PersistencyError) -> Void] = [
            { connection throws(PersistencyError) in try connection.execute("COPY pg_class TO STDOUT") },
            { connection throws(PersistencyError) in
                try connection.execute("CREATE TEMPORARY TABLE t (a int); COPY t FROM STDIN")
            },
            { connection throws(PersistencyError) in try connection.execute("BEGIN") },
            { connection throws(PersistencyError) in try connection.execute("BEGIN; SELECT 1 / 0") },
            { connection throws(PersistencyError) in
                try connection.run([PostgresStep("COPY pg_class TO STDOUT"), PostgresStep("SELECT 1")])
            },
            { connection throws(PersistencyError) in connection.giveUp() },
            { connection throws(PersistencyError) in
                try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            },
        ]
        for ruin in ruined {
            let process = try await self.process(pool)
            try? await pool.run { connection, _ throws(PersistencyError) in try ruin(connection) }
            #expect(try await self.process(pool) != process)
        }
        // An error of a statement does not replace the connection.
        let process = try await self.process(pool)
        try? await pool.run { connection, _ throws(PersistencyError) in _ = try connection.execute("nonsense") }
        try? await pool.run { connection, _ throws(PersistencyError) in
            try connection.run([PostgresStep("SELECT 1"), PostgresStep("SELECT 1 / 0"), PostgresStep("SELECT 2")])
        }
        #expect(try await self.process(pool) == process)
        await pool.close()
    }

    private func process(_ pool: PostgresPool) async throws -> Int64 {
        try await pool.run { connection, _ throws(PersistencyError) in
            let row = try connection.run("SELECT pg_backend_pid()")
            return row.advance() ? row.integer(0) : 0
        }
    }
}
#endif
