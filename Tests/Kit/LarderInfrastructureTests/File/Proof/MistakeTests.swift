import LarderStoreContract
import Testing

/// What the proof is worth: stores of files that do something wrong, each of which it must notice.
struct MistakeTests {
    @Test func `every mistake of a store of files is noticed`() async throws {
        let (began, seed) = (ContinuousClock.now, RunSize.seed)
        // Quickly, every fifth: enough to see a proof that has lost its eyes.
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
