import LarderData
import LarderStoreContract
import Testing

struct GRDBContractTests {
    @Test func `the store keeps every law`() async {
        let verdicts = await StoreContract.judge(.grdb) { print($0) }
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
        #expect(verdicts.count { $0.verdict == .kept } >= 120)
    }
}
