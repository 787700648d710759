#if Postgres
import Dispatch
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderPostgres
import Testing

@Suite(.postgres)
struct PostgresConnectionTests {
    @Test func `values of every type are read back as they were sent`() async throws {
        let values: [(Value, ColumnType, String)] = [
            (.integer(.min), .integer, "bigint"), (.integer(.max), .integer, "bigint"),
            (.real(-1.5e300), .real, "float8"),
            (.real(.leastNonzeroMagnitude), .real, "float8"), (.text(""), .text, "text"),
            (.text("é \u{1F600} '\"\\"), .text, "text"),
            (.blob([]), .blob, "bytea"), (.blob([0, 255, 0]), .blob, "bytea"), (.null, .text, "text"),
            (.id(RawID(high: 1, low: .max)), .id, "uuid"),
        ]
        try await Self.withConnection { connection in
            for (value, type, name) in values {
                let result = try connection.run("SELECT $1::\(name)", [value])
                #expect(result.advance())
                #expect(result.value(0, type) == value)
            }
            for kind in [SQLSample.integers, SQLSample.texts, SQLSample.blobs, SQLSample.ids] {
                let rows = try connection.run(
                    "SELECT unnest($1::\(kind.type)[])", [.blob(PostgresArray.bytes(kind.values, kind.kind))])
                var found: [Value] = []
                while rows.advance() { found.append(rows.value(0, kind.column)) }
                #expect(found == kind.values)
            }
        }
    }

    @Test func `a pipeline reports the first error, and the connection is usable afterwards`() async throws {
        try await Self.withConnection { connection in
            for _ in 0..<2 {
                var evaluated: [Int64] = []
                func step(_ text: String) -> PostgresStep {
                    PostgresStep(text) { (result) throws(PersistencyError) in
                        if result.advance() { evaluated.append(result.integer(0)) }
                    }
                }
                #expect(throws: PersistencyError.self) {
                    try connection.run([
                        step("SELECT 1::bigint"), step("SELECT 1::bigint / 0"), step("SELECT 2::bigint"),
                        step("nonsense"),
                    ])
                }
                #expect(evaluated == [1])
            }
            let next = try connection.run("SELECT 3::bigint")
            #expect(next.count == 1)
            #expect(!connection.isInTransaction)
        }
    }

    @Test func `the number of prepared statements is bounded`() async throws {
        try await Self.withConnection { connection in
            for number in 0..<600 { _ = try connection.run("SELECT \(number)") }
            try connection.run((0..<300).map { PostgresStep("SELECT \($0) + 1") })
            let count = try connection.run("SELECT count(*) FROM pg_prepared_statements")
            #expect(count.advance())
            #expect(count.integer(0) <= 257)
        }
    }

    @Test func `a user without rights, and a missing schema, are typed errors`() async throws {
        let server = try await TestServer.shared.value
        await Scratch.drop("rights")
        try await Scratch.run(
            "CREATE SCHEMA rights", "DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN",
            "GRANT USAGE ON SCHEMA rights TO reader")
        defer { Task { await Scratch.drop("rights") } }
        let schemas = try SchemaSet([Sample.note])
        let configuration = PostgresStore.Configuration(server.connection(user: "reader"), schema: "rights")
        let error = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(configuration, schemas: schemas)
        }
        #expect("\(error as Any)".contains("grant the user the rights"))
        let missing = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(.init(server.connection(), schema: "nowhere"), schemas: schemas)
        }
        #expect("\(missing as Any)".contains("create it first"))
    }

    @Test func `a cancelled read is interrupted on the server, and the next operation is not`() async throws {
        let configuration = PostgresStore.Configuration(
            try await TestServer.shared.value.connection(), schema: "public", connections: 1)
        let pool = PostgresPool(configuration)
        for _ in 0..<20 {
            let sleep = Task {
                try await pool.run(untilCancelled: true) { connection, _ throws(PersistencyError) in
                    _ = try connection.execute("SELECT pg_sleep(60)")
                }
            }
            try await Task.sleep(for: .milliseconds(.random(in: 0...10)))
            sleep.cancel()
            let error = await #expect(throws: PersistencyError.self) { try await sleep.value }
            guard case .cancelled? = error else { Issue.record("\(error as Any)"); return }
            let count = try await pool.run(untilCancelled: true) { connection, _ throws(PersistencyError) in
                try connection.execute("SELECT 1").count
            }
            #expect(count == 1)
        }
        await pool.close()
    }

    @Test func `operations wait for a free connection in their order, up to a limit`() async throws {
        let pool = PostgresPool(
            .init(try await TestServer.shared.value.connection(), connections: 1, busyTimeout: .seconds(2)))
        let order = AsyncStream<Int>.makeStream()
        try await Self.holding(pool) {
            let error = await #expect(throws: PersistencyError.self) { try await pool.run { _, _ in } }
            guard case .unavailable(let trouble)? = error else { Issue.record("\(error as Any)"); return }
            #expect(trouble.reason == .busy)
        }
        var tasks: [Task<Void, any Error>] = []
        try await Self.holding(pool) {
            for number in 0..<10 {
                tasks.append(Task { try await pool.run { _, _ in _ = order.continuation.yield(number) } })
                while pool.waitingCount <= number { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        for task in tasks { try await task.value }
        order.continuation.finish()
        #expect(await order.stream.reduce(into: []) { $0.append($1) } == Array(0..<10))
        await pool.close()
    }

    /// Runs a body while the only connection of a pool is in use.
    private static func holding(_ pool: PostgresPool, _ body: () async throws -> Void) async throws {
        let (begun, end) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let holder = Task {
            try await pool.run { _, _ in
                begun.continuation.finish()
                end.wait()
            }
        }
        for await _ in begun.stream {}
        do {
            try await body()
            end.signal()
        } catch {
            end.signal()
            throw error
        }
        try await holder.value
    }

    /// Runs an operation while a connection is in the state that a body leaves.
    static func withConnection(
        _ configuration: PostgresStore.Configuration,
        _ body: @Sendable @escaping (PostgresConnection) throws -> Void, during: () async throws -> Void
    ) async throws {
        let connection = try await Task.detached {
            let connection = try PostgresConnection(configuration)
            try body(connection)
            return connection
        }.value
        try await during()
        try await Task.detached { _ = try connection.execute("ROLLBACK") }.value
    }

    static func withConnection(_ body: @Sendable @escaping (PostgresConnection) throws -> Void) async throws {
        let configuration = PostgresStore.Configuration(try await TestServer.shared.value.connection())
        try await Task.detached { try body(PostgresConnection(configuration)) }.value
    }
}
#endif
