#if Postgres
import LarderInfrastructure
import LarderPostgres
import LarderStoreContract
import Testing

@Suite(.postgres)
struct PostgresContractTests {
    @Test func `the store keeps every law`() async {
        var fixture = StoreFixture.postgres
        // Large commits take minutes.
        if RunSize.current == .ci { fixture.size = .quick }
        let verdicts = await StoreContract.judge(fixture) { print($0) }
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
        #expect(verdicts.count { $0.verdict == .kept } >= 120)
    }

    @Test func `random queries are answered as in memory, in SQLite, and by an oracle`() async throws {
        let others = [
            StoreFixture("memory") { schemas, _ in MemoryStore(schemas) },
            StoreFixture("sqlite") { schemas, _ in try await SQLiteStore.open(.init(.memory), schemas: schemas) },
        ]
        let queries = RunSize.current.of(quick: 200, ci: 3_000, prove: 100_000)
        let report = try await DifferentialRun(queries: queries).judge([.postgres] + others)
        for complaint in report.complaints { Issue.record("\(complaint)") }
        print(
            RunReport(
                "differential queries, postgres",
                figure: "\(report.queries) queries, \(report.unsupported) unsupported",
                seed: report.seed, duration: report.duration))
        #expect(report.unsupported * 20 <= report.queries)
    }

    @Test func `answers to random queries do not contradict each other`() async throws {
        let queries = RunSize.current.of(quick: 50, ci: 300, prove: 20_000)
        let report = try await SelfCheckRun(queries: queries).judge([.postgres])
        for complaint in report.complaints { Issue.record("\(complaint)") }
        print(
            RunReport(
                "self-checked queries, postgres", figure: "\(report)", seed: report.seed, duration: report.duration))
        #expect(report.checks >= queries * 5)
    }
}
#endif
