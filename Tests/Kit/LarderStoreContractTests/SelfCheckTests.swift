import LarderStoreContract
import Testing

struct SelfCheckTests {
    @Test(arguments: StoreFixture.all)
    func `the answers of a store to random queries do not contradict each other`(fixture: StoreFixture) async throws {
        let queries = RunSize.current.of(quick: 100, ci: 2_400, prove: 60_000)
        let report = try await SelfCheckRun(queries: queries).judge([fixture])
        for complaint in report.complaints { Issue.record("\(complaint)") }
        print(
            RunReport(
                "self-checked queries, \(fixture)", figure: "\(report)", seed: report.seed, duration: report.duration))
        #expect(report.unsupported * 20 <= queries)
        #expect(report.checks >= queries * 5)
        #expect(report.checksInTransactions * 20 >= report.checks)
    }
}
