import LarderStoreContract
import Testing
@testable import LarderInfrastructureTests

/// Tampered logs.
struct TamperProofTests {
    @Test func `whatever is changed in a log is missed at its place, and never a wrong value`() throws {
        let began = ContinuousClock.now
        var proof = TamperProof(try ProofBench(), step: RunSize.current.of(quick: 5, ci: 1, prove: 1))
        do throws(ProofViolation) {
            try proof.run()
        } catch {
            Issue.record("\(error)")
        }
        #expect(proof.count > RunSize.current.of(quick: 1_000, ci: 5_800, prove: 5_800))
        print(
            RunReport(
                "changed logs, file", figure: "\(proof.count) logs, none shows a wrong value", seed: nil,
                duration: ContinuousClock.now - began))
    }
}
