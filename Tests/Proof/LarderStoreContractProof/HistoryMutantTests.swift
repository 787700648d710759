import LarderStoreContract
import Testing
@testable import LarderStoreContractTests

struct HistoryMutantTests {
    @Test(arguments: Mutation.histories)
    func `a store that does something wrong is refused every time`(mutation: Mutation) async throws {
        for seed in 1...UInt64(RunSize.current.of(quick: 1, ci: 10, prove: 100)) {
            let run = HistoryRun(.mutant(mutation), histories: 1, operations: 1000, seed: seed)
            await #expect(throws: HistoryRefused.self) { try await run.run() }
        }
    }

    @Test func `a store that does not judge roots that were only read permits write skew`() async {
        let laws = StoreContract.laws.filter { $0.name.contains("two doctors") || $0.name.contains("id to be absent") }
        #expect(laws.count == 3)
        for mutation in Mutation.timing where mutation.name == "does not judge roots that a transaction only read" {
            for verdict in await StoreContract.judge(.mutant(mutation), laws: laws) {
                guard case .broken = verdict.verdict else {
                    Issue.record("\(verdict)")
                    continue
                }
            }
        }
    }
}
