import LarderData
import LarderStoreContract
import Testing

/// Expects that no law is broken and most are kept, because the others are not applicable, and prints how many.
func expectKept(_ fixture: StoreFixture, laws: [Law] = StoreContract.laws) async {
    let start = ContinuousClock.now
    let verdicts = await StoreContract.judge(fixture, laws: laws)
    for verdict in verdicts {
        if case .broken = verdict.verdict { Issue.record("\(fixture): \(verdict)") }
    }
    let kept = verdicts.count { $0.verdict == .kept }
    let figure = "\(kept) of \(verdicts.count) laws kept"
    print(RunReport("contract, \(fixture)", figure: figure, seed: nil, duration: ContinuousClock.now - start))
    #expect(kept > verdicts.count / 2)
}
