import LarderInfrastructure
import LarderStoreContract
import Testing

struct DifferentialTests {
    @Test func `stores answer random queries as an oracle in plain Swift does`() async throws {
        let queries = RunSize.current.of(quick: 200, ci: 12_000, prove: 1_000_000)
        let fixtures: [StoreFixture] = [.memory, .dictionary, .file, .sqliteInMemory, .sqlite(.normal)]
        let report = try await DifferentialRun(queries: queries).judge(fixtures)
        for complaint in report.complaints { Issue.record("\(complaint)") }
        let share = report.unsupported * 1000 / report.queries
        print(
            RunReport(
                "differential queries, \(fixtures.map(\.name).joined(separator: ", "))",
                figure: "\(report.queries) queries of each, \(report.predicates) as predicates, at least "
                    + "\(report.matrixMinimum) of each kind, \(share / 10).\(share % 10) % unsupported",
                seed: report.seed, duration: report.duration))
        #expect(share <= 50)
        guard RunSize.current != .quick else { return }
        print(report.matrix)
        #expect(report.matrixMinimum >= 50)
    }
}
