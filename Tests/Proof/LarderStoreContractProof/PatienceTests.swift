import LarderStoreContract
import Testing
@testable import LarderStoreContractTests

struct PatienceTests {
    @Test func `a law that takes too long is broken`() async {
        let verdicts = await StoreContract.judge(
            .mutant(.deaf), laws: StoreContract.laws.filter { $0.group == .changes }, patience: .milliseconds(200))
        let slow = verdicts.filter { if case .broken(let why) = $0.verdict { why.contains("longer") } else { false } }
        #expect(!slow.isEmpty)
    }
}

extension Mutation {
    /// Observers wait forever.
    fileprivate static let deaf = Mutation(.changes, "publishes nothing") { mutation in
        mutation.changes = { _ in AsyncStream { await Task.untilCancelled() } }
    }
}

extension Task where Success == Never, Failure == Never {
    /// Waits until the law's time limit cancels the task.
    fileprivate static func untilCancelled<Element>() async -> Element? {
        while !isCancelled { try? await sleep(for: .seconds(60)) }
        return nil
    }
}
