import LarderData
import LarderStoreContract
import Testing

@Suite("The contract of stacked decorators")
struct StackContractTests {
    /// At the quick size, a part of the laws.
    private static let laws = StoreContract.laws.enumerated()
        .filter { RunSize.current != .quick || $0.offset % 12 == 0 }.map(\.element)

    @Test(arguments: StackedStores.fixtures)
    func `a stack keeps every law that its capabilities let it keep`(fixture: StoreFixture) async {
        let start = ContinuousClock.now
        let verdicts = await StoreContract.judge(fixture, laws: Self.laws)
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(fixture): \(verdict)") }
        }
        let kept = verdicts.count { $0.verdict == .kept }
        let figure = "\(kept) of \(verdicts.count) laws kept"
        print(RunReport("contract, \(fixture)", figure: figure, seed: nil, duration: ContinuousClock.now - start))
        #expect(kept > verdicts.count / 2)
    }

    @Test(arguments: StackedStores.defective)
    func `a decorator that does not delete is detected below others`(fixture: StoreFixture) async {
        let laws = StoreContract.laws.filter { $0.group == .lifecycle }
        let verdicts = await StoreContract.judge(fixture, laws: laws, patience: .seconds(10))
        let broken = verdicts.filter { if case .broken = $0.verdict { true } else { false } }
        #expect(!broken.isEmpty && broken.count < verdicts.count)
    }
}
