#if Postgres
import LarderStoreContract
import Testing

/// Several processes on one database.
@Suite(.postgres)
struct PostgresProcessTests {
    @Test(.enabled(if: OtherProcess.isCurrent, "only in another process"))
    func `another process runs its part of a history`() async throws { try await OtherProcess.serve() }

    @Test(.disabled(if: OtherProcess.isCurrent, "only in the first process"))
    func `histories of clients in four processes are strictly serializable`() async throws {
        let histories = RunSize.current.of(quick: 3, ci: 20, prove: 200)
        print(try await run("postgres, 4 processes", histories: histories, ignoringReads: false))
    }

    @Test(.disabled(if: OtherProcess.isCurrent, "only in the first process"))
    func `a history of commits that ignore roots that they only read is refused`() async throws {
        await #expect(throws: HistoryRefused.self) {
            try await run("postgres, 4 processes without reads", histories: 50, ignoringReads: true)
        }
    }

    /// Runs histories of 1,000 operations by four clients in each of four processes.
    private func run(_ name: String, histories: Int, ignoringReads: Bool) async throws -> RunReport {
        let processes = try (0..<4).map { _ in try OtherProcess(running: "another process runs its part") }
        defer { for process in processes { process.end() } }
        let connection = try await TestServer.shared.value.connection()
        let fixture = StoreFixture(name) { schemas, scratch in
            try await Scratch.open(schemas, scratch)
        } discard: { scratch in
            await Scratch.drop(scratch)
        }
        let run = HistoryRun(fixture, histories: histories, now: OtherProcess.now) { scratch, seed in
            try await withThrowingTaskGroup(of: HistoryPart.self) { group in
                for (number, process) in processes.enumerated() {
                    let request = OtherProcess.Request(
                        connection: connection, schema: scratch, clients: number * 4 + 1..<number * 4 + 5,
                        operations: 1000 / 16, seed: seed, ignoresReads: ignoringReads)
                    group.addTask { try await process.answer(request) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return try await run.run()
    }
}
#endif
