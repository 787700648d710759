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
        await expectKept(fixture, laws: Self.laws)
    }

    @Test(arguments: StackedStores.defective)
    func `a decorator that does not delete is detected below others`(fixture: StoreFixture) async {
        let laws = StoreContract.laws.filter { $0.group == .lifecycle }
        let verdicts = await StoreContract.judge(fixture, laws: laws, patience: .seconds(10))
        let broken = verdicts.filter { if case .broken = $0.verdict { true } else { false } }
        #expect(!broken.isEmpty && broken.count < verdicts.count)
    }
}
