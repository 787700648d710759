import LarderStoreContract
import Testing
@testable import LarderInfrastructureTests

/// The strength of the proof: it must detect each of these defective file stores.
struct MistakeTests {
    @Test func `every mistake of a store of files is noticed`() async throws {
        let (began, seed) = (ContinuousClock.now, RunSize.seed)
        // At the quick size, every fifth defect: enough to notice a proof that detects nothing.
        let step = RunSize.current == .quick ? 5 : 1
        let mistakes = Mistake.allCases.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        let table = try await MistakeTable.run(mistakes, seed: seed)
        print(table)
        for mistake in table.survivors { Issue.record("nothing notices that \(mistake.rawValue)") }
        #expect(Mistake.allCases.count >= 25)
        let parts = (1...4).map { part in "\(table.rows.count { $0.killer?.part == part }) by \(part)" }
        print(
            RunReport(
                "mutants of the file store",
                figure: "\(table.rows.count) mutants, killed: "
                    + parts.joined(separator: ", "), seed: seed, duration: ContinuousClock.now - began))
    }
}
